import type { ServerObject } from '../../registry/index.ts'
import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { serviceAccountPrinter } from './table.ts'
import { tokenRequestAction } from './token-request.ts'

/** ServiceAccounts. */
export const serviceAccount: NativeKind = {
  group: '',
  kind: 'ServiceAccount',
  returnsDeleted: true,
  prepareCreate: keepSecretNames,
  prepareUpdate: keepSecretNames,
  updateSteps: ['metadata change', 'metadata'],
  table: serviceAccountPrinter,
  subresources: { token: ({ serviceAccounts }) => tokenRequestAction(serviceAccounts) },
}

/** Reduces the references to Secrets to their names. */
function keepSecretNames(account: ServerObject): void {
  const { secrets } = account
  if (!Array.isArray(secrets)) return
  account['secrets'] = secrets.map((one) => {
    const { name } = objectOf(one)
    return name === undefined ? {} : { name }
  })
}
