package clients;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

@Group("java.example.com")
@Version("v1")
@Plural("kilns")
public class Kiln extends CustomResource<Kiln.Spec, Kiln.Status> implements Namespaced {
  public static class Spec {
    public Integer heat;
  }

  public static class Status {
    public Integer reached;
    public Long observedGeneration;
  }
}
