import { timeOf } from '../../../packages/dashboard/page/model/times.ts'
import { texts } from './language/index.ts'
import type { Pods } from '../worker/messages.ts'
import type { Session } from './session.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How fast time may run: how much of it passes in a second. */
const SPEEDS = [0, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR]
const JUMPS = [MINUTE, 5 * MINUTE, HOUR, DAY] as const
const PODS: readonly Pods[] = ['ready', 'late', 'never', 'failing']

/** Lets simulated time run, stand still, or jump ahead; and how Pods behave in it. */
export function TimeBar({ session }: { session: Session }) {
  const t = texts()
  const names: Readonly<Record<number, string>> = {
    [SECOND]: t.second,
    [10 * SECOND]: t.tenSeconds,
    [MINUTE]: t.minute,
    [5 * MINUTE]: t.fiveMinutes,
    [10 * MINUTE]: t.tenMinutes,
    [HOUR]: t.hour,
    [DAY]: t.day,
  }
  const perSecond = session.speed * SECOND
  const index = Math.max(0, SPEEDS.indexOf(perSecond))
  const said = perSecond === 0 ? t.stopped : t.perSecond(names[perSecond] ?? '')
  const isRunning = session.speed > 0
  const behaviours = { ready: t.podsReady, late: t.podsLate, never: t.podsNever, failing: t.podsFailing }
  return (
    <section class="time-bar" aria-label={t.time}>
      <button
        type="button"
        class="play"
        title={isRunning ? t.pauseTime : t.playTime}
        onClick={() => session.setSpeed(isRunning ? 0 : 1)}
      >
        <span aria-hidden="true">{isRunning ? '❚❚' : '▶'}</span>
        <span class="visually-hidden">{isRunning ? t.pauseTime : t.playTime}</span>
      </button>
      <output class="clock">{session.now > 0 ? clockOf(session.now) : ''}</output>
      <input
        type="range"
        min="0"
        max={SPEEDS.length - 1}
        step="1"
        value={index}
        aria-label={t.speed}
        aria-valuetext={said}
        onInput={(event) => session.setSpeed((SPEEDS[Number(event.currentTarget.value)] ?? 0) / SECOND)}
      />
      <output class="speed">{said}</output>
      <span class="jumps">
        {JUMPS.map((jump) => (
          <button
            key={jump}
            type="button"
            title={t.later(names[jump] ?? '')}
            disabled={session.state !== 'running'}
            onClick={() => session.advance(jump)}
          >
            +{names[jump]}
          </button>
        ))}
      </span>
      <label class="select" title={t.podsTitle}>
        {t.pods}
        <select
          value={session.pods}
          onChange={(event) =>
            session.setPods(PODS.find((each) => each === event.currentTarget.value) ?? 'ready')
          }
        >
          {PODS.map((each) => (
            <option key={each} value={each}>
              {behaviours[each]}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

/** The day and the time of the simulated clock. */
function clockOf(at: number): string {
  return `${new Date(at).toLocaleDateString(document.documentElement.lang)} ${timeOf(at)}`
}
