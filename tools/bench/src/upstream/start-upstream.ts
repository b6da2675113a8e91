import { type OwnServer, startOwnServer } from '../subjects/start-own-server.js';
import type { RunningSubject } from '../subjects/subject.js';

/** The model server that everything stands in front of. */
export async function startUpstream(folder: string): Promise<OwnServer> {
  return startOwnServer({ name: 'upstream', program: 'upstream/upstream-main.js', folder, environment: {} });
}

/** The upstream itself as what a client talks to: with nothing in between. */
export function directTo(upstream: OwnServer): RunningSubject {
  return { id: 'direct', title: 'direct to the upstream', path: '/v1/chat/completions', headers: {}, keys: [], ...upstream };
}
