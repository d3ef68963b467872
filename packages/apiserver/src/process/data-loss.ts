import type { DataLoss } from '../storage/index.ts'

/** The text that a program prints when its server starts in spite of a loss of data. */
export function describeDataLoss(loss: DataLoss): string {
  const { problem, movedTo, objects, readRevision, acknowledgedRevision } = loss
  const lost =
    readRevision < acknowledgedRevision
      ? `changes ${readRevision + 1} to ${acknowledgedRevision} are lost`
      : 'no change is known to be lost'
  return `Data loss accepted: ${problem}\n${objects} objects were read as of change ${readRevision}; ${lost}. The damaged files are in ${movedTo}.`
}
