import { useEffect, useRef, useState } from 'preact/hooks'

/** Takes a file that a user drops anywhere on the page. Returns whether a file is held over the page. */
export function useDroppedFile(open: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  const opens = useRef(open)
  opens.current = open
  useEffect(() => {
    const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent): void => {
      if (!hasFile(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      // An editor takes what is dropped into it.
      if (event.defaultPrevented || !hasFile(event)) return
      event.preventDefault()
      const [file] = event.dataTransfer?.files ?? []
      if (file) opens.current(file)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
