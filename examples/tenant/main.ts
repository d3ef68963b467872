import { Manager, podOptions } from 'homeostat'
import { tenant } from './controller.ts'

await new Manager(podOptions('tenant')).add(tenant).start()
