import { resolve } from 'node:path';
import { describeProblem, openCatalogueFile } from '@tollgate/adapters-config';
import { EXIT_CODES } from '../../program/command-failure.js';
import { settingsOf, type Surroundings } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';

/** Reads a catalogue file as the gateway does, and puts nothing in force. */
export async function checkCatalogue(surroundings: Surroundings, file: string): Promise<Report> {
  const { settings: { timeouts }, environment } = settingsOf(surroundings);
  const opening = await openCatalogueFile(resolve(surroundings.folder, file), { environment, timeouts });
  if ('problems' in opening) {
    return {
      json: { file, valid: false, problems: opening.problems.map(({ line, path, message }) => ({ line, path, message })) },
      lines: opening.problems.map((problem) => describeProblem(file, problem)),
      exitCode: EXIT_CODES.failed,
    };
  }
  const { models, plans } = opening.file.current();
  const counts = { upstreams: opening.file.upstreams.length, models: models.length, plans: plans.length };
  return {
    json: { file, valid: true, problems: [], ...counts },
    lines: [`${file} has no mistakes. Upstreams: ${counts.upstreams}, models: ${counts.models}, plans: ${counts.plans}.`],
  };
}
