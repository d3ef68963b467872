import { Manager, podOptions } from 'homeostat'
import { visitors } from './controller.ts'

await new Manager(podOptions('visitors')).add(visitors).start()
