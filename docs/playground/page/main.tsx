import { render } from 'preact'
import { chooseLanguage, LANGUAGES, startLanguage } from '../../../packages/dashboard/page/language/index.ts'
import { Store } from '../../../packages/dashboard/page/model/store.ts'
import type { Catalogue } from '../build/catalogue.ts'
import { CheckSession } from './check-session.ts'
import { Playground } from './playground.tsx'
import { Session } from './session.ts'
import { codeIn } from './shared-code.ts'
import { TypesSession } from './types-session.ts'

const place = document.querySelector('#playground')
if (place) await start(place)

async function start(to: Element): Promise<void> {
  const asked = new URLSearchParams(location.search)
  startLanguage()
  const tag = asked.get('language') ?? ''
  if (LANGUAGES[tag]) chooseLanguage(tag)
  let draw = (): void => {}
  const store = new Store((action, body) => session.ask(action, body))
  // Its worker loads while the examples do.
  const session = new Session(
    store,
    () => draw(),
    () => types.start(),
  )
  const check = new CheckSession(
    () => draw(),
    (recording) => {
      session.close()
      store.select(undefined)
      store.open(recording, recording.story?.title ?? '')
    },
  )
  const types = new TypesSession(() => draw())
  const [given, answer] = await Promise.all([codeIn(location.hash), fetch('examples.json')])
  const catalogue = (await answer.json()) as Catalogue
  const first =
    catalogue.examples.find(({ id }) => id === asked.get('example')) ??
    catalogue.examples.find(({ id }) => id === catalogue.first)
  if (!first) return
  let isAsked = false
  draw = () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      render(
        <Playground
          store={store}
          session={session}
          check={check}
          types={types}
          catalogue={catalogue}
          first={first}
          given={given}
          isEmbedded={asked.has('embedded')}
          onChange={draw}
        />,
        to,
      )
    })
  }
  store.onChange(draw)
  draw()
  // Where the site is not served over HTTPS or by this machine there is none.
  await navigator.serviceWorker?.register('offline.js').catch(() => undefined)
}
