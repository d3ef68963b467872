use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind that the benchmark fills the server with.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "benchmarks.homeostat.dev",
    version = "v1",
    kind = "Widget",
    namespaced
)]
#[serde(rename_all = "camelCase")]
pub struct WidgetSpec {
    /// The object's number, from 0.
    pub index: usize,
    /// When the last update was sent, in microseconds since 1970; 0 before the first one.
    pub written_at: i64,
    pub image: String,
    pub replicas: i32,
    pub selector: Option<LabelSelector>,
    #[serde(default)]
    pub env: Vec<EnvVar>,
    #[serde(default)]
    pub ports: Vec<Port>,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub struct EnvVar {
    pub name: String,
    pub value: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub struct Port {
    pub name: String,
    pub port: i32,
    pub protocol: String,
}
