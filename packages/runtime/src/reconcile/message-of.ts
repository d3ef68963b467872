/** The message of a thrown value. It never throws itself, whatever the value is. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { message, name }: { message: unknown; name: unknown } = error
      return String(message || name)
    }
    return typeof error === 'object' && error !== null ? JSON.stringify(error) : String(error)
  } catch {
    return 'a value that cannot be printed'
  }
}
