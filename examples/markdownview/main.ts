import { Manager, podOptions } from 'homeostat'
import { markdownView } from './controller.ts'

await new Manager(podOptions('markdownview')).add(markdownView).start()
