"""An operator on kopf that uses most sorts of handlers."""

import asyncio

import kopf

GROUP = "kopf.example.com"


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_):
    settings.posting.enabled = True
    settings.persistence.finalizer = f"{GROUP}/finalizer"
    settings.persistence.progress_storage = kopf.StatusProgressStorage()


@kopf.on.create(GROUP, "v1", "gardens")
def create(body, spec, name, namespace, patch, **_):
    kopf.info(body, reason="Planted", message=f"{spec['beds']} beds")
    patch.status["beds"] = spec["beds"]
    return {"created": True}


@kopf.on.update(GROUP, "v1", "gardens", field="spec.beds")
def update(old, new, patch, **_):
    patch.status["beds"] = new
    patch.status["change"] = f"{old} to {new}"


@kopf.on.create(GROUP, "v1", "gardens", id="flaky", retries=3, backoff=0.1)
def flaky(retry, patch, **_):
    if retry < 2:
        raise kopf.TemporaryError("not yet", delay=0.1)
    patch.status["tries"] = retry + 1


@kopf.timer(GROUP, "v1", "gardens", interval=0.2)
def count(status, patch, **_):
    if status.get("counted", 0) < 3:
        patch.status["counted"] = status.get("counted", 0) + 1


@kopf.daemon(GROUP, "v1", "gardens", cancellation_timeout=5)
async def watch_over(stopped, name, namespace, **_):
    from kubernetes import client

    custom = client.CustomObjectsApi()
    place = (GROUP, "v1", namespace, "gardens", name)
    await asyncio.to_thread(
        custom.patch_namespaced_custom_object_status, *place, {"status": {"daemon": "started"}}
    )
    await stopped.wait()


@kopf.on.delete(GROUP, "v1", "gardens")
def delete(name, namespace, **_):
    from kubernetes import client

    client.CoreV1Api().create_namespaced_config_map(
        namespace, client.V1ConfigMap(metadata=client.V1ObjectMeta(name=f"{name}-deleted"))
    )


@kopf.index("", "v1", "configmaps", labels={"garden": kopf.PRESENT})
def seeds(name, labels, **_):
    return {labels["garden"]: name}


@kopf.on.event("", "v1", "configmaps", labels={"garden": kopf.PRESENT})
def planted(labels, name, namespace, event, memo, **_):
    from kubernetes import client

    if event["type"] != "DELETED":
        client.CustomObjectsApi().patch_namespaced_custom_object_status(
            GROUP, "v1", namespace, "gardens", labels["garden"], {"status": {"seed": name}}
        )
