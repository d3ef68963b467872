/** Where the Service `kubernetes` finds the API: an address of the Pod network that stands for the node itself. */
export const API_ADDRESS = '10.244.0.1'
