import { Manager, podOptions } from 'homeostat'
import { vcap } from './controller.ts'

await new Manager(podOptions('vcap')).add(vcap).start()
