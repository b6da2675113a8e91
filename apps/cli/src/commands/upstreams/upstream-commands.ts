import type { Command } from 'commander';
import type { CommandRuntime } from '../../program/command-runtime.js';
import { testUpstreams } from './test-upstreams.js';
import { upstreamsStatus } from './upstreams-status.js';

export function addUpstreamCommands(program: Command, runtime: CommandRuntime): void {
  const upstreams = program.command('upstreams').description('the model servers of the catalogue, or of UPSTREAM_BASE_URL');
  upstreams.command('status').description('ask each upstream for its models, and compare them with the catalogue')
    .action(async (_options: unknown, command: Command) => {
      runtime.report(command, await upstreamsStatus(runtime.surroundings, runtime.progressOf(command)));
    });
  upstreams.command('test').description('send an upstream, or each, one real request: one word for one token')
    .argument('[name]', 'an upstream of `tollgate upstreams status`')
    .option('--model <model>', 'a model of the catalogue, or its name there (default: the first one)')
    .action(async (name: string | undefined, { model }: { model?: string }, command: Command) => {
      runtime.report(command, await testUpstreams(runtime.surroundings, { name: name ?? null, model: model ?? null }, runtime.progressOf(command)));
    });
}
