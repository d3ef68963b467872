package clients;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;

/** Keeps a ConfigMap with the heat of each kiln, and writes the status. */
@ControllerConfiguration
public class KilnReconciler implements Reconciler<Kiln>, Cleaner<Kiln> {
  static volatile int cleaned = 0;

  @Override
  public List<EventSource<?, Kiln>> prepareEventSources(EventSourceContext<Kiln> context) {
    var configuration = InformerEventSourceConfiguration.from(ConfigMap.class, Kiln.class).build();
    return List.of(new InformerEventSource<>(configuration, context));
  }

  @Override
  public UpdateControl<Kiln> reconcile(Kiln kiln, Context<Kiln> context) {
    var wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(kiln.getMetadata().getName())
            .withNamespace(kiln.getMetadata().getNamespace())
            .endMetadata()
            .withData(Map.of("heat", String.valueOf(kiln.getSpec().heat)))
            .build();
    wanted.addOwnerReference(kiln);
    var known = context.getSecondaryResource(ConfigMap.class).orElse(null);
    if (known == null || !wanted.getData().equals(known.getData())) {
      context.getClient().resource(wanted).fieldManager("kilns").forceConflicts().serverSideApply();
    }
    var status = new Kiln.Status();
    status.reached = kiln.getSpec().heat;
    status.observedGeneration = kiln.getMetadata().getGeneration();
    kiln.setStatus(status);
    kiln.getMetadata().setManagedFields(null);
    return UpdateControl.patchStatus(kiln);
  }

  @Override
  public DeleteControl cleanup(Kiln kiln, Context<Kiln> context) {
    cleaned++;
    return DeleteControl.defaultDelete();
  }
}
