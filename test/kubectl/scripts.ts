import { script, type Script } from './script.ts'

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: "nginx:1.27", ports: [{ containerPort: 80 }] }
`

const TWO_OBJECTS = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: blue }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, name: http }] }
`

/** `kind: List` is not a kind of a server: kubectl looks for it in OpenAPI v2. */
const list = (color: string): string => `apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: first }, data: { color: ${color} } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: second }, data: { color: ${color} } }
`

const UNKNOWN_FIELD = `apiVersion: v1
kind: ConfigMap
metadata: { name: odd }
dtaa: { color: blue }
`

const POD = `apiVersion: v1
kind: Pod
metadata: { name: one, labels: { app: one } }
spec: { containers: [{ name: main, image: busybox, command: [sh, -c, "sleep 60"] }] }
`

const crd = (plural: string, kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.kubectl.homeostat.dev }
spec:
  group: kubectl.homeostat.dev
  scope: Namespaced
  names: { plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, shortNames: [${kind.toLowerCase()[0]}x] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } }
      additionalPrinterColumns:
        - { name: Replicas, type: integer, jsonPath: .spec.replicas }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
      schema:
        openAPIV3Schema:
          type: object
          description: A thing for the tests.
          properties:
            spec:
              type: object
              description: What is wanted.
              required: [color]
              properties:
                color: { type: string, enum: [red, green], description: Its color. }
                replicas: { type: integer, default: 1 }
            status: { type: object, properties: { replicas: { type: integer } } }
`

const gadget = (color: string): string => `apiVersion: kubectl.homeostat.dev/v1
kind: Gadget
metadata: { name: one }
spec: { color: ${color} }
`

/** Typical uses of kubectl, in scripts that need no controllers and no nodes. */
export const SCRIPTS: readonly Script[] = [
  script('creating workloads', [
    'create deployment web --image=nginx:1.27 --replicas=2 --port=80',
    'create job once --image=busybox -- sh -c date',
    "create cronjob nightly --image=busybox --schedule='0 3 * * *' -- date",
    'run one --image=busybox --labels=app=one --restart=Never -- sleep 60',
    'create job again --from=cronjob/nightly',
    'get deployments,jobs,cronjobs,pods',
    'get deployments -o wide',
    'get pods -o wide',
    'get all',
  ]),
  script(
    'creating configuration',
    [
      'create configmap settings --from-literal=color=blue --from-file=@notes.txt',
      'create secret generic key --from-literal=password=hunter2',
      'create secret docker-registry pull --docker-server=example.com --docker-username=me --docker-password=pw',
      'get configmap settings -o yaml',
      'get secrets',
      "get secret key -o jsonpath='{.data.password}'",
      // It prints what is in it in the order of a map of Go, which is chance.
      { run: 'describe configmap settings', sorted: true },
      'describe secret key',
      'create configmap settings',
      'create quota small --hard=pods=2,requests.cpu=1',
      'create poddisruptionbudget web --selector=app=web --min-available=1',
      'get resourcequota,poddisruptionbudget',
    ],
    { 'notes.txt': 'a note\n' },
  ),
  script('creating services', [
    'create service clusterip plain --tcp=80:8080',
    'create service nodeport open --tcp=80',
    'create service externalname far --external-name=example.com',
    'create service loadbalancer front --tcp=443:8443',
    'create deployment web --image=nginx',
    'expose deployment web --port=80 --target-port=8080',
    "create ingress site --rule='example.com/*=web:80'",
    'get services',
    'get services -o wide',
    'get ingress',
    'describe service plain',
  ]),
  script('creating access', [
    'create serviceaccount robot',
    'create role reader --verb=get,list --resource=pods,deployments.apps',
    'create rolebinding readers --role=reader --serviceaccount=default:robot --user=ann --group=team',
    'create clusterrole kubectl-test --verb=get --resource=nodes --dry-run=server -o yaml',
    'get roles,rolebindings',
    'get rolebindings -o wide',
    'describe role reader',
    'describe rolebinding readers',
    'create token robot --duration=1h',
    'create token nobody',
    { run: 'auth can-i list pods --as=ann', until: /^yes/ },
    'auth can-i delete pods --as=ann',
    'auth can-i --list --as=ann',
    'auth whoami',
    'create role broken --verb=get --resource=gadgetz',
  ]),
  script(
    'output forms',
    [
      'apply -f @objects.yaml',
      'get configmap/settings service/web -o name',
      "get configmap settings -o jsonpath='{.data}'",
      "get configmaps -o jsonpath='{range .items[*]}{.metadata.name}{end}'",
      "get configmap settings -o go-template='{{.data.color}}'",
      'get configmap settings -o custom-columns=NAME:.metadata.name,COLOR:.data.color',
      'get configmap settings -o json',
      'get configmap settings -o yaml --show-managed-fields',
      'get services --show-labels',
      'get services -L app',
      'get configmaps,services --sort-by=.metadata.name',
      'get configmaps --field-selector=metadata.name=settings',
      'get configmaps -l app=none',
      'get configmaps --chunk-size=1 --no-headers',
      'get configmap missing',
      'get configmap missing --ignore-not-found',
      'get gadgetz',
      'get --raw /api/v1/namespaces/none/configmaps/none',
    ],
    { 'objects.yaml': TWO_OBJECTS },
  ),
  script(
    'apply on the client',
    [
      'apply -f @deployment.yaml',
      'apply -f @deployment.yaml',
      { run: 'diff -f @changed.yaml' },
      'apply -f @changed.yaml --dry-run=server',
      'apply -f @changed.yaml',
      'get deployment web -o yaml',
      'apply view-last-applied deployment/web',
      'delete -f @changed.yaml',
      'get deployments',
    ],
    {
      'deployment.yaml': DEPLOYMENT,
      'changed.yaml': DEPLOYMENT.replace('replicas: 2', 'replicas: 3').replace('1.27', '1.28'),
    },
  ),
  script(
    'apply on the server',
    [
      'apply --server-side -f @objects.yaml --field-manager=first',
      'apply --server-side -f @objects.yaml --field-manager=first',
      'apply --server-side -f @changed.yaml --field-manager=second',
      'apply --server-side -f @changed.yaml --field-manager=second --force-conflicts',
      'get configmap settings -o yaml --show-managed-fields',
      'apply --server-side -f @objects.yaml --field-manager=first --dry-run=server',
    ],
    { 'objects.yaml': TWO_OBJECTS, 'changed.yaml': TWO_OBJECTS.replace('blue', 'red') },
  ),
  script(
    'changes',
    [
      'apply -f @deployment.yaml',
      'patch deployment web -p \'{"spec":{"replicas":5}}\'',
      'patch deployment web --type=merge -p \'{"metadata":{"labels":{"tier":"front"}}}\'',
      'patch deployment web --type=json -p \'[{"op":"replace","path":"/spec/replicas","value":4}]\'',
      'patch deployment web --type=json -p \'[{"op":"remove","path":"/spec/none"}]\'',
      'label deployment web color=blue',
      'label deployment web color=red',
      'label deployment web color=red --overwrite',
      'label deployment web color-',
      'annotate deployment web note=hello',
      'scale deployment web --replicas=7',
      'scale deployment web --replicas=8 --current-replicas=1',
      'autoscale deployment web --min=1 --max=3 --cpu-percent=80',
      'set image deployment/web web=nginx:1.29',
      'set env deployment/web COLOR=blue',
      'set resources deployment/web --limits=cpu=200m,memory=64Mi',
      'rollout pause deployment/web',
      'rollout resume deployment/web',
      'rollout restart deployment/web',
      { run: 'edit deployment web', edit: 's/replicas: 7/replicas: 9/' },
      { run: 'edit deployment web', edit: '' },
      'get deployment web -o yaml',
      'get horizontalpodautoscaler',
      'describe deployment web',
      { run: 'replace -f -', input: DEPLOYMENT },
      { run: 'replace -f -', input: DEPLOYMENT.replaceAll('app: web', 'app: other') },
    ],
    { 'deployment.yaml': DEPLOYMENT },
  ),
  script('refusals', [
    { run: 'create -f -', input: UNKNOWN_FIELD },
    { run: 'create -f - --validate=warn', input: UNKNOWN_FIELD },
    { run: 'create -f - --validate=ignore', input: UNKNOWN_FIELD.replace('odd', 'odder') },
    { run: 'apply -f -', input: 'apiVersion: v1\nkind: Gadgetz\nmetadata: { name: a }\n' },
    { run: 'apply -f -', input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: NOT_A_NAME }\n' },
    { run: 'apply -f -', input: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n' },
    { run: 'apply -f -', input: 'a: [' },
    'create deployment web --image=',
    'delete configmap missing',
    'scale deployment missing --replicas=1',
    'patch configmap odd -p notjson',
    'logs missing',
    'exec missing -- date',
    'wait --for=condition=Ready pod/missing --timeout=1s',
  ]),
  script('pods', [
    { run: 'apply -f -', input: POD },
    { run: 'apply -f - --dry-run=server', input: POD },
    'get pod one -o yaml',
    'describe pod one',
    'get events',
    'events',
    'top pods',
    'wait --for=jsonpath={.status.phase}=Pending pod/one --timeout=10s',
    'annotate pod one note=hello',
    'patch pod one -p \'{"spec":{"restartPolicy":"Never"}}\'',
    'delete pod one --grace-period=0 --force',
    'wait --for=delete pod/one --timeout=10s',
    'get pods',
  ]),
  script(
    'deleting',
    [
      { run: 'apply -f @objects.yaml', quiet: true },
      'delete configmap settings --dry-run=server',
      'delete configmap settings',
      'create deployment web --image=nginx',
      'delete deployment web --cascade=orphan --wait=false',
      'get deployment web -o jsonpath={.metadata.finalizers}',
      'create deployment second --image=nginx',
      'delete deployment second --cascade=foreground --wait=false',
      'get deployment second -o jsonpath={.metadata.finalizers}',
      'create deployment other --image=nginx',
      'delete deployment other --cascade=background',
      'create configmap a',
      'create configmap b',
      'delete configmaps -l none=none',
      { run: 'delete configmaps --all', sorted: true },
      'get configmaps',
    ],
    { 'objects.yaml': TWO_OBJECTS },
  ),
  script(
    'custom resources',
    [
      'apply -f @crd.yaml',
      'wait --for=condition=established crd/gadgets.kubectl.homeostat.dev --timeout=30s',
      { run: 'apply -f @gadget.yaml', until: /created/ },
      'apply -f @gadget.yaml',
      { run: 'apply -f -', input: gadget('blue') },
      { run: 'apply -f -', input: gadget('green') },
      'get gadgets',
      'get gx -o yaml',
      { run: 'explain gadget', until: /^GROUP/ },
      'explain gadget.spec --recursive',
      'explain gadget.spec.color',
      'scale gadget one --replicas=4',
      'patch gadget one --type=merge -p \'{"spec":{"color":"red"}}\'',
      'patch gadget one -p \'{"spec":{"color":"red"}}\'',
      'describe gadget one',
      'label gadget one a=b',
      'delete gadget one',
      'api-resources --api-group=kubectl.homeostat.dev',
      'delete crd gadgets.kubectl.homeostat.dev',
    ],
    { 'crd.yaml': crd('gadgets', 'Gadget'), 'gadget.yaml': gadget('red') },
  ),
  script('about the server', [
    'api-resources --api-group=apps',
    'api-resources --namespaced=false -o name',
    // The group of an earlier script may be served for a moment longer.
    { run: 'api-versions', sorted: true, until: /^(?![^]*kubectl\.homeostat)/ },
    'explain deployment.spec.replicas',
    'explain pods',
    'explain deployment.spec.strategy --recursive',
    'get namespaces default kube-system',
    { run: 'get --raw /version', quiet: true },
    'get --raw /healthz',
    'get priorityclasses',
    'cluster-info',
    'create namespace kubectl-dry --dry-run=server -o yaml',
    'describe namespace default',
    'get serviceaccounts -n kube-system --no-headers',
  ]),
  script('lists', [
    { run: 'apply -f -', input: list('blue') },
    { run: 'apply -f -', input: list('blue') },
    { run: 'apply -f -', input: list('red') },
    { run: 'apply --server-side --force-conflicts -f -', input: list('green') },
    { run: 'create --validate=strict -f -', input: list('blue').replaceAll('data:', 'dtaa:') },
    { run: 'replace -f -', input: list('yellow') },
    'get configmaps first second -o jsonpath={.items[*].data.color}',
    { run: 'delete -f -', input: list('blue') },
  ]),
  script(
    'explaining by OpenAPI v2',
    [
      'explain pods.spec.restartPolicy --output=plaintext-openapiv2',
      'explain deployment.spec.strategy --recursive --output=plaintext-openapiv2',
      'explain services --output=plaintext-openapiv2',
      'explain none --output=plaintext-openapiv2',
      'apply -f @crd.yaml',
      'wait --for=condition=established crd/gears.kubectl.homeostat.dev --timeout=30s',
      { run: 'explain gear --output=plaintext-openapiv2', until: /^KIND/ },
      'explain gear.spec --recursive --output=plaintext-openapiv2',
      'delete crd gears.kubectl.homeostat.dev',
    ],
    { 'crd.yaml': crd('gears', 'Gear') },
  ),
  script('watching', [
    'create configmap one',
    { run: 'get configmaps -w --output-watch-events', follow: { from: 2, to: 5 } },
    'label configmap one a=b',
    'create configmap two',
    'delete configmap one',
  ]),
  script('creating the rest', [
    'create priorityclass kubectl-high --value=100 --description=high',
    'create priorityclass kubectl-high --value=100',
    'get priorityclass kubectl-high',
    'delete priorityclass kubectl-high',
    'create clusterrole kubectl-nodes --verb=get,list --resource=nodes --non-resource-url=/healthz',
    'create clusterrole kubectl-nodes --verb=get --resource=nodes',
    'create clusterrolebinding kubectl-nodes --clusterrole=kubectl-nodes --user=ann',
    'describe clusterrolebinding kubectl-nodes',
    'auth can-i list nodes --as=ann',
    'delete clusterrolebinding kubectl-nodes',
    'delete clusterrole kubectl-nodes',
    'auth can-i list nodes --as=ann',
    'create secret tls pair --cert=@none.crt --key=@none.key',
    'create namespace kubectl-dry --dry-run=client -o yaml',
  ]),
]
