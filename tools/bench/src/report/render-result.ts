import type { Figure, ScenarioResult } from '../scenarios/scenario.js';
import type { SubjectId } from '../subjects/subject.js';
import { figureOf, ratioOf, subjectsOf } from './compare.js';
import { digits } from './numbers.js';
import { renderTable } from '@tollgate/testkit/programs';

function ratioCell(result: ScenarioResult, subject: SubjectId, figure: Figure): string {
  const ratio = figure.compared === 'none' ? null : ratioOf(result, { figure: figure.id, subject, to: result.baseline });
  if (ratio === null) return '';
  return subject === result.baseline ? '1 ×' : `${digits(ratio.median)} × [${digits(ratio.lowest)}-${digits(ratio.highest)}]`;
}

function valueCell(result: ScenarioResult, subject: SubjectId, { id, unit }: Figure): string {
  const spread = figureOf(result, subject, id);
  return spread === null ? '' : `${digits(spread.median)} ${unit}`.trimEnd();
}

/** A result as a table: for each figure the ratio to the baseline with its spread over the rounds, and the figure's own median. */
export function renderResult(result: ScenarioResult): string {
  const shown = result.figures.flatMap((figure) => (figure.compared === 'none' ? [{ figure, cell: valueCell }] : [{ figure, cell: ratioCell }, { figure, cell: valueCell }]));
  const heading = ['', ...shown.map(({ figure, cell }) => (cell === ratioCell ? '' : figure.title))];
  const rows = [...subjectsOf(result)].map(([subject, title]) => [title, ...shown.map(({ figure, cell }) => cell(result, subject, figure))]);
  return `${result.title}\n${renderTable([heading, ...rows])}`;
}
