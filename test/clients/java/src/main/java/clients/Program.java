package clients;

import static clients.Checks.check;
import static clients.Checks.refused;
import static clients.Checks.same;
import static clients.Checks.until;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.javaoperatorsdk.operator.Operator;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What fabric8's client and the Java operator SDK do with a server. */
public class Program {
  static final String NAMESPACE = "java-client";

  static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: kilns.java.example.com
      spec:
        group: java.example.com
        scope: Namespaced
        names: { plural: kilns, singular: kiln, kind: Kiln }
        versions:
          - name: v1
            served: true
            storage: true
            subresources: { status: {} }
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      heat: { type: integer, minimum: 1, default: 900 }
                  status:
                    type: object
                    x-kubernetes-preserve-unknown-fields: true
      """;

  static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .endMetadata()
        .withData(data)
        .build();
  }

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      check("native objects are created, replaced, patched and deleted", () -> natives(client));
      check("a Deployment is scaled", () -> workload(client));
      check("a list comes in pages", () -> pages(client));
      check("a watch follows changes", () -> watching(client));
      check("an informer keeps a copy", () -> informer(client));
      check("a definition is loaded, and typed objects of the kind", () -> custom(client));
      check("an operator reconciles, writes the status and cleans up", () -> operator(client));
      check(
          "all of it is deleted",
          () -> {
            client.load(stream(DEFINITION)).delete();
            client.namespaces().withName(NAMESPACE).delete();
          });
    }
    System.exit(0);
  }

  static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  static void natives(KubernetesClient client) {
    var namespace = new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build();
    client.resource(namespace).create();
    var made = client.resource(configMap("a", Map.of("x", "1"))).create();
    var changed = new ConfigMapBuilder(made).addToData("y", "2").build();
    same(client.resource(changed).update().getData(), Map.of("x", "1", "y", "2"));
    refused(409, () -> client.resource(changed).lockResourceVersion().update());
    var configMaps = client.configMaps().inNamespace(NAMESPACE);
    var patched = configMaps.withName("a").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"x\":null}}");
    same(patched.getData(), Map.of("y", "2"));
    var edited = configMaps.withName("a").edit(it -> new ConfigMapBuilder(it).addToData("z", "3").build());
    same(edited.getData(), Map.of("y", "2", "z", "3"));
    var applied = client.resource(configMap("b", Map.of("k", "v"))).fieldManager("java").serverSideApply();
    same(applied.getMetadata().getManagedFields().get(0).getManager(), "java");
    refused(422, () -> client.resource(configMap("A_", Map.of())).create());
    same(configMaps.withName("a").delete().size(), 1);
    same(configMaps.withName("a").get(), null);
  }

  static void workload(KubernetesClient client) {
    var labels = Map.of("app", "web");
    var deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("web")
            .withNamespace(NAMESPACE)
            .endMetadata()
            .withNewSpec()
            .withNewSelector()
            .withMatchLabels(labels)
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("web")
            .withImage("example/web:1")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    same(client.resource(deployment).create().getSpec().getReplicas(), 1);
    var web = client.apps().deployments().inNamespace(NAMESPACE).withName("web");
    web.scale(3);
    same(web.get().getSpec().getReplicas(), 3);
    web.delete();
  }

  static void pages(KubernetesClient client) {
    for (int index = 0; index < 5; index++) client.resource(configMap("page-" + index, Map.of())).create();
    List<String> names = new ArrayList<>();
    String token = null;
    do {
      var options = new ListOptionsBuilder().withLimit(2L).withContinue(token).build();
      var page = client.configMaps().inNamespace(NAMESPACE).list(options);
      page.getItems().forEach(item -> names.add(item.getMetadata().getName()));
      token = page.getMetadata().getContinue();
    } while (token != null && !token.isEmpty());
    names.removeIf(name -> !name.startsWith("page-"));
    same(names, List.of("page-0", "page-1", "page-2", "page-3", "page-4"));
  }

  static void watching(KubernetesClient client) throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    var watcher =
        new Watcher<ConfigMap>() {
          @Override
          public void eventReceived(Action action, ConfigMap object) {
            seen.add(action + " " + object.getData().get("n"));
          }

          @Override
          public void onClose(WatcherException cause) {}
        };
    try (var watch = client.configMaps().inNamespace(NAMESPACE).withName("watched").watch(watcher)) {
      client.resource(configMap("watched", Map.of("n", "0"))).create();
      client
          .configMaps()
          .inNamespace(NAMESPACE)
          .withName("watched")
          .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"n\":\"1\"}}");
      client.configMaps().inNamespace(NAMESPACE).withName("watched").delete();
      until("three events", () -> seen.size() >= 3);
    }
    same(seen, List.of("ADDED 0", "MODIFIED 1", "DELETED 1"));
  }

  static void informer(KubernetesClient client) throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    var handler =
        new ResourceEventHandler<ConfigMap>() {
          @Override
          public void onAdd(ConfigMap object) {
            seen.add("add " + object.getMetadata().getName());
          }

          @Override
          public void onUpdate(ConfigMap before, ConfigMap after) {
            seen.add("update " + after.getMetadata().getName());
          }

          @Override
          public void onDelete(ConfigMap object, boolean unknown) {
            seen.add("delete " + object.getMetadata().getName());
          }
        };
    try (var informer = client.configMaps().inNamespace(NAMESPACE).inform(handler)) {
      until("b is in the copy", () -> informer.getStore().getByKey(NAMESPACE + "/b") != null);
      client.resource(configMap("c", Map.of())).create();
      until("c was added", () -> seen.contains("add c"));
      client.configMaps().inNamespace(NAMESPACE).withName("c").delete();
      until("c was deleted", () -> seen.contains("delete c"));
    }
  }

  static Kiln kiln(String name, Integer heat) {
    var kiln = new Kiln();
    kiln.getMetadata().setName(name);
    kiln.getMetadata().setNamespace(NAMESPACE);
    kiln.setSpec(new Kiln.Spec());
    kiln.getSpec().heat = heat;
    return kiln;
  }

  static void custom(KubernetesClient client) throws Exception {
    client.load(stream(DEFINITION)).create();
    until(
        "kilns are served",
        () -> {
          try {
            client.resources(Kiln.class).inNamespace(NAMESPACE).list();
            return true;
          } catch (io.fabric8.kubernetes.client.KubernetesClientException problem) {
            return false;
          }
        });
    same(client.resource(kiln("a", null)).create().getSpec().heat, 900);
    refused(422, () -> client.resource(kiln("b", 0)).create());
    var status = new Kiln.Status();
    status.reached = 1;
    var found = client.resources(Kiln.class).inNamespace(NAMESPACE).withName("a").get();
    found.setStatus(status);
    same(client.resource(found).updateStatus().getStatus().reached, 1);
    client.resource(found).delete();
  }

  static void operator(KubernetesClient client) throws Exception {
    var operator = new Operator(overrider -> overrider.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(new KilnReconciler(), override -> override.settingNamespace(NAMESPACE));
    operator.start();
    try {
      var kilns = client.resources(Kiln.class).inNamespace(NAMESPACE);
      var configMaps = client.configMaps().inNamespace(NAMESPACE);
      client.resource(kiln("k", 700)).create();
      until(
          "the status of 700",
          () -> {
            var status = kilns.withName("k").get().getStatus();
            return status != null && Integer.valueOf(700).equals(status.reached);
          });
      same(configMaps.withName("k").get().getData(), Map.of("heat", "700"));
      same(kilns.withName("k").get().getMetadata().getFinalizers().size(), 1);
      kilns.withName("k").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"heat\":800}}");
      until("the change", () -> Map.of("heat", "800").equals(configMaps.withName("k").get().getData()));
      configMaps.withName("k").delete();
      until("it is made again", () -> configMaps.withName("k").get() != null);
      kilns.withName("k").delete();
      until("it is gone", () -> kilns.withName("k").get() == null);
      same(KilnReconciler.cleaned, 1);
    } finally {
      operator.stop();
    }
  }
}
