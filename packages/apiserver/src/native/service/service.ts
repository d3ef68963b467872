import type { NativeKind } from '../kind/native-kind.ts'
import { proxyAction } from '../proxy/proxy-actions.ts'
import { defaultService } from './service-defaults.ts'
import { serviceStrategy } from './service-strategy.ts'
import { validateServiceUpdate } from './service-update.ts'
import { validateService, validateServiceStatus } from './service-validation.ts'
import { serviceWarnings } from './service-warnings.ts'
import { servicePrinter } from './table.ts'

/**
 * Services. `serviceStrategy` has the field selectors, and the allocation of addresses and ports. Elsewhere are their quotas
 * (`resource-quota/service-evaluator.ts`), the objects of their addresses (`ip-address/keep-service-addresses.ts`) and of
 * their Endpoints (`endpoints/follow-services.ts`).
 */
export const service: NativeKind = {
  group: '',
  kind: 'Service',
  ...serviceStrategy,
  warnings: serviceWarnings,
  table: servicePrinter,
  subresources: { proxy: ({ connect }) => proxyAction('service', connect) },
  default: defaultService,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatus: validateServiceStatus,
  updateSteps: ['metadata change', 'change', 'object'],
}
