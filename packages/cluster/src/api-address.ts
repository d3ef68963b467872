/** The endpoint of the Service `kubernetes`: an address of the Pod network that leads to the node itself. */
export const API_ADDRESS = '10.244.0.1'
