import { useRef } from 'preact/hooks'
import type { Store } from '../model/store.ts'

/** A pointer that moved less, in pixels, chooses what is under it. */
const LEAST = 4

interface Drag {
  /** Where the pointer went down, and the moment that was shown then. */
  readonly x: number
  readonly moment: number
  /** How much time a pixel stands for, in milliseconds. */
  readonly scale: number
  isMoving: boolean
}

/** Moves the shown moment while a user drags the timeline: to the right is back in time. */
export function useDraggedTime({
  store,
  shown,
  now,
  span,
}: {
  store: Store
  shown: number
  now: number
  span: number
}) {
  const drag = useRef<Drag>(undefined)
  return {
    onPointerDown({ button, clientX, target }: PointerEvent): void {
      const track = target instanceof Element ? target.closest('.track, .axis') : undefined
      const scale = span / Math.max(1, track?.clientWidth ?? 0)
      drag.current = track && button === 0 ? { x: clientX, moment: shown, scale, isMoving: false } : undefined
    },
    onPointerMove(event: PointerEvent): void {
      const { current } = drag
      if (!current || event.buttons === 0) return
      const moved = event.clientX - current.x
      if (!current.isMoving && Math.abs(moved) < LEAST) return
      if (!current.isMoving && event.currentTarget instanceof Element)
        event.currentTarget.setPointerCapture(event.pointerId)
      current.isMoving = true
      const moment = Math.round(current.moment - moved * current.scale)
      store.travel(moment < now ? moment : store.file === undefined ? undefined : now)
    },
    onPointerCancel(): void {
      drag.current = undefined
    },
    /** The end of a drag chooses nothing. */
    onClickCapture(event: MouseEvent): void {
      if (drag.current?.isMoving) event.stopPropagation()
      drag.current = undefined
    },
  }
}
