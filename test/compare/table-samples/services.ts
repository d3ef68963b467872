import type { TableSample } from '../table-sample.ts'
import { core } from './objects.ts'

export const services: TableSample[] = [
  core('service-cluster-ip', 'services', {
    spec: {
      clusterIP: '10.96.77.1',
      selector: { app: 'web', tier: 'front' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  }),
  core('service-headless', 'services', { spec: { clusterIP: 'None', selector: { app: 'web' } } }),
  core('service-node-port', 'services', {
    spec: { type: 'NodePort', clusterIP: '10.96.77.2', ports: [{ port: 80, nodePort: 30077 }] },
  }),
  core('service-external-name', 'services', {
    spec: { type: 'ExternalName', externalName: 'db.example.com' },
  }),
  core('service-load-balancer-pending', 'services', {
    spec: {
      type: 'LoadBalancer',
      clusterIP: '10.96.77.3',
      allocateLoadBalancerNodePorts: false,
      ports: [{ port: 443 }],
    },
  }),
  core(
    'service-load-balancer',
    'services',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.96.77.4',
        allocateLoadBalancerNodePorts: false,
        externalIPs: ['192.0.2.9'],
        ports: [{ port: 443 }],
      },
    },
    { loadBalancer: { ingress: [{ ip: '192.0.2.8' }, { hostname: 'a.example.com' }] } },
  ),
  core('endpoints', 'endpoints', {
    subsets: [
      {
        addresses: [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }],
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    ],
  }),
  core('endpoints-none', 'endpoints', {}),
  {
    title: 'endpointslice',
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    namespaced: true,
    object: {
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.1.0.1'] },
        { addresses: ['10.1.0.2'] },
        { addresses: ['10.1.0.3'] },
        { addresses: ['10.1.0.4'] },
      ],
      ports: [{ name: 'http', port: 3000 }, { name: 'any' }],
    },
  },
  {
    title: 'endpointslice-empty',
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    namespaced: true,
    object: { addressType: 'IPv6', endpoints: [] },
  },
]
