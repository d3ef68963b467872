import { operator, sample } from 'homeostat'
import { visitors } from './controller.ts'
import { VisitorsApp } from './visitors-app.ts'

/** The VisitorsApp operator: all that it consists of, and a sample to try it with. */
export default operator('visitors', {
  controllers: [visitors],
  samples: [
    sample(VisitorsApp, {
      metadata: { namespace: 'default', name: 'visitors-sample' },
      spec: { size: 2, title: 'Visitors of the sample' },
    }),
  ],
})
