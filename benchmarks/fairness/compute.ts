/** Computes until its parent ends it, and sends no request: it takes of the cores what the process of a flood takes. */
process.send?.('begun', () => {
  for (let sum = 0; ; sum++) Math.sqrt(sum)
})
