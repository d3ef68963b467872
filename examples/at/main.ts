import { Manager, podOptions } from 'homeostat'
import { at } from './controller.ts'

await new Manager(podOptions('at')).add(at).start()
