import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows drawn above and below those in view. */
const AROUND = 8

/** A list of rows of one height, of which only those in view exist. */
export function VirtualList<T>({
  items,
  height,
  row,
  label,
  focused,
  onKeyDown,
}: {
  items: readonly T[]
  height: number
  row: (item: T, index: number) => ComponentChildren
  label: string
  /** The index that is kept in view when it changes. */
  focused: number
  onKeyDown: (event: KeyboardEvent) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const measure = (): void => {
    const { current } = box
    if (!current) return
    const next = { top: current.scrollTop, height: current.clientHeight }
    setView((last) => (last.top === next.top && last.height === next.height ? last : next))
  }
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const { current } = box
    if (!current || focused < 0) return
    const [top, bottom] = [focused * height, (focused + 1) * height]
    if (top < current.scrollTop) current.scrollTop = top
    else if (bottom > current.scrollTop + current.clientHeight)
      current.scrollTop = bottom - current.clientHeight
  }, [focused, height])
  const first = Math.max(0, Math.floor(view.top / height) - AROUND)
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / height) + AROUND)
  return (
    <div
      class="virtual"
      ref={box}
      onScroll={measure}
      onKeyDown={onKeyDown}
      role="tree"
      aria-label={label}
      tabIndex={-1}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${items.length * height}px` }}>
        <div
          class="virtual-shown"
          role="presentation"
          style={{ transform: `translateY(${first * height}px)` }}
        >
          {items.slice(first, last).map((item, index) => row(item, first + index))}
        </div>
      </div>
    </div>
  )
}
