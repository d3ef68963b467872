import { Manager, podOptions } from 'homeostat'
import { greeting } from './greeting-controller.ts'

await new Manager(podOptions('greeting')).add(greeting).start()
