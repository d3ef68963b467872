import { check, replayFinding, type Finding } from '@homeostat/check'
import { StoryRecording } from '@homeostat/dashboard'
import {
  controller,
  controllerReference,
  createOrUpdate,
  defineKind,
  operator,
  sample,
  schema as s,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

const Note = defineKind({
  group: 'story.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string(), label: s.string().optional() }),
})

/** Leaves in its ConfigMap what the spec no longer has. */
const notes = controller('notes')
  .for(Note)
  .owns(ConfigMap)
  .writes(ConfigMap, 'createOrUpdate')
  .reconcile(async (key, { client }) => {
    const note = await client.get(Note, key)
    if (!note) return
    const { text, label } = note.spec
    await createOrUpdate(client, ConfigMap, key, (child) => {
      child.data = { ...child.data, text, ...(label !== undefined && { label }) }
      child.metadata.ownerReferences = [controllerReference(note)]
    })
  })

const forgetful = operator('notes', {
  kinds: [Note],
  controllers: [notes],
  samples: [
    sample(Note, { metadata: { name: 'one', namespace: 'default' }, spec: { text: 'a', label: 'b' } }),
  ],
})

/** The finding of an operator that keeps a label which its spec no longer has. */
export async function findForgottenLabel(): Promise<Finding> {
  const { findings } = await check(forgetful, { only: ['history'] })
  const [finding] = findings
  if (!finding) throw new Error('the check found nothing')
  return finding
}

/** The story of a finding of this operator, as the page opens it. */
export async function recordStory(finding: Finding): Promise<string> {
  const recording = new StoryRecording()
  await replayFinding(forgetful, finding, recording)
  return recording.json()
}
