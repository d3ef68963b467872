import { operator, sample } from 'homeostat'
import { Reminder, reminder } from './controller.ts'

const one = (name: string, text: string, afterMinutes: number) =>
  sample(Reminder, { metadata: { namespace: 'default', name }, spec: { text, afterMinutes } })

export default operator('reminder', {
  controllers: [reminder],
  samples: [one('tea', 'the tea is ready', 3), one('bread', 'the bread is baked', 45)],
})
