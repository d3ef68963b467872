import process from 'node:process'
import { linesBehind, styleOf, type Command, type CommandCall } from '../command/index.ts'
import { diagnose, type Finding } from '../doctor/index.ts'
import { clusterOptions, operatorOption } from '../project/index.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'finds problems of this machine, the project and the cluster, and names the remedies',
  description:
    'Checks the version of Node, the operator, the kubeconfig and the API server, whether the server serves the kinds of the operator, and whether this user has the rights that the operator declares. It changes nothing. The exit code is 1 if a check fails.',
  options: {
    operator: operatorOption,
    ...clusterOptions,
    json: { type: 'boolean', description: 'print JSON' },
  },
  examples: [
    ['doctor', 'for people'],
    ['doctor --json', 'for programs'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const findings: Finding[] = []
    const style = styleOf(io)
    const options = {
      cwd: io.cwd,
      env: io.env,
      nodeVersion: process.versions.node,
      operator: values['operator'] as string | undefined,
      context: values['context'] as string | undefined,
      kubeconfig: values['kubeconfig'] as string | undefined,
    }
    for await (const finding of diagnose(options)) {
      findings.push(finding)
      if (values['json']) continue
      const { what, ok, detail, remedy } = finding
      const lines = linesBehind(6, `${what}: ${detail}`, io)
      io.out(`${ok ? style.good('ok   ') : style.bad('wrong')} ${lines.join('\n      ')}\n`)
      if (remedy) io.out(`      ${style.faint('→')} ${linesBehind(8, remedy, io).join('\n        ')}\n`)
    }
    const ok = findings.every((finding) => finding.ok)
    if (values['json']) io.out(`${JSON.stringify({ ok, findings }, undefined, 2)}\n`)
    return ok ? 0 : 1
  },
}
