"""What the official Python client does with a server."""

import threading

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic.exceptions import ResourceNotFoundError

from checks import run, same, until

config.load_kube_config()
NAMESPACE = "python-client"
GROUP = "python.example.com"
core = client.CoreV1Api()
apps = client.AppsV1Api()
custom = client.CustomObjectsApi()


def config_map(name, data=None, labels=None):
    metadata = client.V1ObjectMeta(name=name, labels=labels)
    return client.V1ConfigMap(metadata=metadata, data=data or {})


def refused(status, reason, call):
    try:
        call()
    except ApiException as problem:
        same(problem.status, status)
        assert f'"reason":"{reason}"' in problem.body, problem.body
    else:
        raise AssertionError("the server did not refuse it")


def native():
    try:
        core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE)))
    except ApiException as problem:
        same(problem.status, 409)
    made = core.create_namespaced_config_map(NAMESPACE, config_map("a", {"x": "1"}))
    made.data["y"] = "2"
    same(core.replace_namespaced_config_map("a", NAMESPACE, made).data, {"x": "1", "y": "2"})
    refused(409, "Conflict", lambda: core.replace_namespaced_config_map("a", NAMESPACE, made))
    patched = core.patch_namespaced_config_map("a", NAMESPACE, {"data": {"x": None}})
    same(patched.data, {"y": "2"})
    operations = [{"op": "add", "path": "/data/z", "value": "3"}]
    same(core.patch_namespaced_config_map("a", NAMESPACE, operations).data, {"y": "2", "z": "3"})
    refused(409, "AlreadyExists", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("a")))
    refused(422, "Invalid", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("A_")))
    same(core.delete_namespaced_config_map("a", NAMESPACE)["status"], "Success")
    refused(404, "NotFound", lambda: core.read_namespaced_config_map("a", NAMESPACE))


def workload():
    labels = {"app": "web"}
    container = client.V1Container(
        name="web",
        image="example/web:1",
        ports=[client.V1ContainerPort(container_port=80)],
        resources=client.V1ResourceRequirements(requests={"cpu": "100m", "memory": "64Mi"}),
    )
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels=labels), spec=client.V1PodSpec(containers=[container])
    )
    spec = client.V1DeploymentSpec(selector=client.V1LabelSelector(match_labels=labels), template=template)
    deployment = client.V1Deployment(metadata=client.V1ObjectMeta(name="web"), spec=spec)
    made = apps.create_namespaced_deployment(NAMESPACE, deployment)
    same((made.spec.replicas, made.spec.strategy.rolling_update.max_surge), (1, "25%"))
    scaled = apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 3}})
    same(scaled.spec.replicas, 3)
    port = client.V1ServicePort(port=80, target_port="http")
    service = client.V1Service(
        metadata=client.V1ObjectMeta(name="web"), spec=client.V1ServiceSpec(selector=labels, ports=[port])
    )
    assert core.create_namespaced_service(NAMESPACE, service).spec.cluster_ip
    core.delete_namespaced_service("web", NAMESPACE)
    apps.delete_namespaced_deployment("web", NAMESPACE)


def pages():
    for index in range(7):
        core.create_namespaced_config_map(NAMESPACE, config_map(f"page-{index}", labels={"page": "yes"}))
    names, token = [], None
    while True:
        page = core.list_namespaced_config_map(NAMESPACE, label_selector="page=yes", limit=3, _continue=token)
        names += [item.metadata.name for item in page.items]
        token = page.metadata._continue
        if not token:
            break
    same(names, [f"page-{index}" for index in range(7)])
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="page=yes")
    same(core.list_namespaced_config_map(NAMESPACE, label_selector="page=yes").items, [])


def watching():
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    seen = []

    def follow():
        stream = watch.Watch()
        options = {"resource_version": version, "timeout_seconds": 60}
        for event in stream.stream(core.list_namespaced_config_map, NAMESPACE, **options):
            if event["object"].metadata.name != "watched":
                continue
            seen.append((event["type"], dict(event["object"].data or {})))
            if event["type"] == "DELETED":
                stream.stop()

    thread = threading.Thread(target=follow)
    thread.start()
    core.create_namespaced_config_map(NAMESPACE, config_map("watched", {"n": "0"}))
    core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"n": "1"}})
    core.delete_namespaced_config_map("watched", NAMESPACE)
    thread.join(90)
    same(seen, [("ADDED", {"n": "0"}), ("MODIFIED", {"n": "1"}), ("DELETED", {"n": "1"})])


def expired():
    stream = watch.Watch()
    try:
        options = {"resource_version": "1", "timeout_seconds": 5}
        for _ in stream.stream(core.list_namespaced_config_map, NAMESPACE, **options):
            pass
    except ApiException as problem:
        same(problem.status, 410)


def definition():
    schema = {
        "type": "object",
        "properties": {
            "spec": {
                "type": "object",
                "properties": {"size": {"type": "integer", "default": 2, "minimum": 1}},
            },
            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        },
    }
    version = client.V1CustomResourceDefinitionVersion(
        name="v1",
        served=True,
        storage=True,
        schema=client.V1CustomResourceValidation(open_apiv3_schema=schema),
        subresources=client.V1CustomResourceSubresources(status={}),
    )
    names = client.V1CustomResourceDefinitionNames(plural="boxes", kind="Box")
    spec = client.V1CustomResourceDefinitionSpec(group=GROUP, scope="Namespaced", names=names, versions=[version])
    extensions = client.ApiextensionsV1Api()
    extensions.create_custom_resource_definition(
        client.V1CustomResourceDefinition(metadata=client.V1ObjectMeta(name=f"boxes.{GROUP}"), spec=spec)
    )

    def established():
        status = extensions.read_custom_resource_definition(f"boxes.{GROUP}").status
        return any(c.type == "Established" and c.status == "True" for c in status.conditions or [])

    until("the definition is established", established)


def custom_objects():
    where = (GROUP, "v1", NAMESPACE, "boxes")
    body = {"apiVersion": f"{GROUP}/v1", "kind": "Box", "metadata": {"name": "a"}, "spec": {}}

    def make():
        try:
            return custom.create_namespaced_custom_object(*where, body)
        except ApiException as problem:
            same(problem.status, 404)

    same(until("boxes are served", make)["spec"], {"size": 2})
    custom.patch_namespaced_custom_object(*where, "a", {"spec": {"size": 5}})
    custom.patch_namespaced_custom_object_status(*where, "a", {"status": {"phase": "Ready"}})
    found = custom.get_namespaced_custom_object(*where, "a")
    same((found["spec"], found["status"], found["metadata"]["generation"]), ({"size": 5}, {"phase": "Ready"}, 2))
    refused(422, "Invalid", lambda: custom.patch_namespaced_custom_object(*where, "a", {"spec": {"size": 0}}))
    custom.delete_namespaced_custom_object(*where, "a")
    same(custom.list_namespaced_custom_object(*where)["items"], [])


def dynamic_client():
    any_kind = dynamic.DynamicClient(client.ApiClient())
    boxes = any_kind.resources.get(api_version=f"{GROUP}/v1", kind="Box")
    body = {"apiVersion": f"{GROUP}/v1", "kind": "Box", "metadata": {"name": "b"}, "spec": {"size": 3}}
    boxes.server_side_apply(body, namespace=NAMESPACE, field_manager="python")
    found = boxes.get(name="b", namespace=NAMESPACE)
    same((found.spec.size, found.metadata.managedFields[0].manager), (3, "python"))
    events = boxes.watch(namespace=NAMESPACE, timeout=2)
    same([(event["type"], event["object"].metadata.name) for event in events], [("ADDED", "b")])
    boxes.delete(name="b", namespace=NAMESPACE)
    try:
        any_kind.resources.get(api_version=f"{GROUP}/v1", kind="Missing")
    except ResourceNotFoundError:
        pass
    else:
        raise AssertionError("a kind was found that is not there")


def from_yaml():
    documents = [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "robot"}},
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "Role",
            "metadata": {"name": "reader"},
            "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
        },
    ]
    utils.create_from_yaml(client.ApiClient(), yaml_objects=documents, namespace=NAMESPACE)
    core.delete_namespaced_service_account("robot", NAMESPACE)
    client.RbacAuthorizationV1Api().delete_namespaced_role("reader", NAMESPACE)


def reviews():
    attributes = client.V1ResourceAttributes(namespace=NAMESPACE, verb="delete", resource="pods")
    review = client.V1SelfSubjectAccessReview(
        spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes)
    )
    assert client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed
    assert client.VersionApi().get_code().git_version.startswith("v1.")
    groups = {group.name for group in client.ApisApi().get_api_versions().groups}
    assert {"apps", "batch", GROUP} <= groups, groups


def clean_up():
    client.ApiextensionsV1Api().delete_custom_resource_definition(f"boxes.{GROUP}")
    core.delete_namespace(NAMESPACE)


run(
    [
        ("native objects are created, replaced, patched and deleted", native),
        ("a Deployment and a Service get their defaults", workload),
        ("a list comes in pages", pages),
        ("a watch follows changes", watching),
        ("a watch from a revision that is gone ends with 410", expired),
        ("a definition is created with models", definition),
        ("custom objects are created, patched and refused", custom_objects),
        ("the dynamic client discovers, applies and watches", dynamic_client),
        ("objects are created from documents", from_yaml),
        ("reviews, the version and groups are answered", reviews),
        ("all of it is deleted", clean_up),
    ]
)
