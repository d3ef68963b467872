"""Runs an operator on kopf and checks what it does with a server."""

import os

from kopf.testing import KopfRunner
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

from checks import run, same, until

config.load_kube_config()
GROUP = "kopf.example.com"
NAMESPACE = "default"
PLACE = (GROUP, "v1", NAMESPACE, "gardens")
core = client.CoreV1Api()
custom = client.CustomObjectsApi()
extensions = client.ApiextensionsV1Api()

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"gardens.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"plural": "gardens", "kind": "Garden"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {"type": "object", "properties": {"beds": {"type": "integer"}}},
                            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                        },
                    }
                },
            }
        ],
    },
}


def garden():
    return custom.get_namespaced_custom_object(*PLACE, "a")


def status(key):
    return garden().get("status", {}).get(key)


def make():
    body = {"apiVersion": f"{GROUP}/v1", "kind": "Garden", "metadata": {"name": "a"}, "spec": {"beds": 2}}
    custom.create_namespaced_custom_object(*PLACE, body)
    until("the handler of creations wrote the status", lambda: status("beds") == 2)
    until("the result of the handler", lambda: status("create") == {"created": True})
    same(garden()["metadata"]["finalizers"], [f"{GROUP}/finalizer"])


def change():
    custom.patch_namespaced_custom_object(*PLACE, "a", {"spec": {"beds": 3}})
    until("the handler of changes wrote the status", lambda: status("change") == "2 to 3")


def remove():
    custom.delete_namespaced_custom_object(*PLACE, "a")

    def gone():
        try:
            garden()
        except ApiException as problem:
            return problem.status == 404

    until("the object is gone", gone)
    core.delete_namespaced_config_map("a-deleted", NAMESPACE)


def events():
    def reasons():
        items = core.list_namespaced_event(NAMESPACE, field_selector="involvedObject.kind=Garden").items
        return "Planted" in {item.reason for item in items}

    until("the event", reasons)


def seed():
    metadata = client.V1ObjectMeta(name="tulip", labels={"garden": "a"})
    core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=metadata))
    until("the handler of events wrote the status", lambda: status("seed") == "tulip")
    core.delete_namespaced_config_map("tulip", NAMESPACE)


def define():
    extensions.create_custom_resource_definition(DEFINITION)

    def served():
        try:
            custom.list_namespaced_custom_object(*PLACE)
            return True
        except ApiException as problem:
            same(problem.status, 404)

    until("gardens are served", served)


OPERATOR = os.path.join(os.path.dirname(__file__), "kopf_operator.py")
run([("a definition is created", define)])
with KopfRunner(["run", "--standalone", "--namespace", NAMESPACE, OPERATOR], timeout=120) as runner:
    run(
        [
            ("a creation is handled, with a finalizer and a result", make),
            ("a handler that fails is called again", lambda: until("third try", lambda: status("tries") == 3)),
            ("a timer ticks", lambda: until("three ticks", lambda: status("counted") == 3)),
            ("a daemon runs", lambda: until("it started", lambda: status("daemon") == "started")),
            ("an event is posted", events),
            ("events of another kind are handled", seed),
            ("a change is handled with its difference", change),
            ("a deletion is handled before the object goes", remove),
        ]
    )
if runner.exit_code != 0:
    print(runner.output)
run(
    [
        ("the operator ends well", lambda: same((runner.exit_code, runner.exception), (0, None))),
        ("the definition is deleted", lambda: extensions.delete_custom_resource_definition(f"gardens.{GROUP}")),
    ]
)
