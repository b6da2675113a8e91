import { join } from 'node:path';
import { BOUNDS, EXPRESS_PASS_THROUGH, NODE_PASS_THROUGH } from '../subjects/pass-through-subject.js';
import { portkey } from '../subjects/portkey-subject.js';
import type { Subject } from '../subjects/subject.js';
import { tollgateEmbedded } from '../subjects/tollgate-subject.js';
import type { BenchOptions } from './options.js';

export interface SubjectNeeds {
  readonly root: string;
  readonly folder: string;
  readonly models: readonly string[];
}

/** Everything that the options want measured, in the order of a round. */
export async function subjectsFor(options: BenchOptions, { root, folder, models }: SubjectNeeds): Promise<readonly Subject[]> {
  const gateway = { models, accounts: 1, growth: null, databaseFile: null };
  const subjects: Subject[] = [
    NODE_PASS_THROUGH,
    EXPRESS_PASS_THROUGH,
    tollgateEmbedded({ ...gateway, id: 'tollgate', title: 'Tollgate, embedded', root }),
  ];
  if (options.compareWith !== null) {
    subjects.push(tollgateEmbedded({ ...gateway, id: 'tollgate-compared', title: 'Tollgate, other checkout', root: options.compareWith }));
  }
  if (options.bounds) subjects.push(...BOUNDS);
  if (options.peers) subjects.push(await portkey(join(folder, 'portkey')));
  return subjects;
}
