import { arch, availableParallelism, platform } from 'node:os';
import { renderTable, type Spread, spreadOf } from '@tollgate/kit';
import type { Figure, Measurement, ScenarioResult } from './scenarios/scenario.js';
import type { SubjectId } from './subjects/subject.js';
import type { CheckVerdict } from './goals.js';

function byRound(measurements: readonly Measurement[], subject: SubjectId, figure: string): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (const measurement of measurements) {
    const value = measurement.values[figure];
    if (measurement.subject === subject && value !== undefined) values.set(measurement.round, value);
  }
  return values;
}

/** Median and spread of a figure over all rounds; `null` if not measured. */
export function figureOf({ measurements }: ScenarioResult, subject: SubjectId, figure: string): Spread | null {
  return spreadOf([...byRound(measurements, subject, figure).values()]);
}

interface Comparison {
  readonly figure: string;
  readonly subject: SubjectId;
  readonly to: SubjectId;
}

/** Median and spread of the ratios within rounds; `null` if no round has both figures. */
export function ratioOf({ measurements }: ScenarioResult, { figure, subject, to }: Comparison): Spread | null {
  const baseline = byRound(measurements, to, figure);
  const ratios: number[] = [];
  for (const [round, value] of byRound(measurements, subject, figure)) {
    const base = baseline.get(round);
    if (base !== undefined && base > 0) ratios.push(value / base);
  }
  return spreadOf(ratios);
}

function subjectsOf({ measurements }: ScenarioResult): ReadonlyMap<SubjectId, string> {
  return new Map(measurements.map(({ subject, title }) => [subject, title]));
}

const SIGNIFICANT_DIGITS = 3;

/** A number with at most three decimal places, rounded to three significant digits if it is below 100, otherwise to a whole number. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  const decimals = value === 0 ? 0 : Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, SIGNIFICANT_DIGITS));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function ratioCell(result: ScenarioResult, subject: SubjectId, figure: Figure): string {
  const ratio = figure.compared === 'none' ? null : ratioOf(result, { figure: figure.id, subject, to: result.baseline });
  if (ratio === null) return '';
  return subject === result.baseline ? '1 ×' : `${digits(ratio.median)} × [${digits(ratio.lowest)}-${digits(ratio.highest)}]`;
}

function valueCell(result: ScenarioResult, subject: SubjectId, { id, unit }: Figure): string {
  const spread = figureOf(result, subject, id);
  return spread === null ? '' : `${digits(spread.median)} ${unit}`.trimEnd();
}

export function renderResult(result: ScenarioResult): string {
  const shown = result.figures.flatMap((figure) => (figure.compared === 'none' ? [{ figure, cell: valueCell }] : [{ figure, cell: ratioCell }, { figure, cell: valueCell }]));
  const heading = ['', ...shown.map(({ figure, cell }) => (cell === ratioCell ? '' : figure.title))];
  const rows = [...subjectsOf(result)].map(([subject, title]) => [title, ...shown.map(({ figure, cell }) => cell(result, subject, figure))]);
  return `${result.title}\n${renderTable([heading, ...rows])}`;
}

function outcome({ verdict, missedBy }: CheckVerdict): string {
  return missedBy > 0 ? `missed by ${percent(missedBy)}` : verdict;
}

const BOUND_OF: Readonly<Partial<Record<SubjectId, string>>> = {
  express: 'Express', node: 'node:http', durable: 'waiting for the disk', parsing: 'parsing and printing',
};

function boundOf({ check: { bound }, besideBound }: CheckVerdict): string {
  if (bound === undefined) return '';
  const reached = besideBound === null ? 'not measured' : `${digits(besideBound)} ×`;
  return `${digits(bound.limit)} × ${BOUND_OF[bound.against] ?? bound.against}: ${reached}`;
}

function rowOf(verdict: CheckVerdict, reached: number): readonly string[] {
  const { goal, title, check } = verdict;
  const unit = check.unit === '' ? '' : ` ${check.unit}`;
  return [`${goal}. ${title}: ${check.text}`, `${check.comparison} ${digits(check.limit)}${unit}`, `${digits(reached)}${unit}`, outcome(verdict), boundOf(verdict)];
}

function namesOf(verdicts: readonly CheckVerdict[]): string {
  const texts = new Map<number, readonly string[]>();
  for (const { goal, check } of verdicts) texts.set(goal, [...texts.get(goal) ?? [], check.text]);
  return [...texts].map(([goal, each]) => `${goal} (${each.join('; ')})`).join(', ');
}

/** A table of the measured goals with figure, verdict and bound, followed by the names of the goals that were not measured. */
export function renderGoals(verdicts: readonly CheckVerdict[]): string {
  const rows = verdicts.flatMap((verdict) => (verdict.reached === null ? [] : [rowOf(verdict, verdict.reached)]));
  const others = verdicts.filter(({ reached }) => reached === null);
  const table = rows.length === 0 ? '' : renderTable([['', 'goal', 'reached', '', 'bound'], ...rows]);
  return `Goals\n${table}${others.length === 0 ? '' : `Not measured: ${namesOf(others)}\n`}`;
}

interface Machine {
  readonly cores: number;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  return { cores: availableParallelism(), system: `${platform()} ${arch()}`, node: process.versions.node };
}

function summaryOf(result: ScenarioResult): readonly object[] {
  return [...subjectsOf(result).keys()].flatMap((subject) => result.figures.map(({ id, unit, compared }) => ({
    subject,
    figure: id,
    unit,
    value: figureOf(result, subject, id),
    ratio: compared === 'none' ? null : ratioOf(result, { figure: id, subject, to: result.baseline }),
  })));
}

export function jsonReport(results: readonly ScenarioResult[], verdicts: readonly CheckVerdict[]): string {
  const report = {
    machine: thisMachine(),
    scenarios: results.map((result) => ({ id: result.id, title: result.title, baseline: result.baseline, summary: summaryOf(result), rounds: result.measurements })),
    goals: verdicts,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

const SECONDS_PER_MINUTE = 60;

export interface Advance {
  /** Estimated seconds of each part of the run. */
  readonly expected: readonly number[];
  /** Index of the current part. */
  readonly part: number;
  /** Seconds since the part began, but no more than its estimate. */
  readonly spentSeconds: number;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clockTime(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / SECONDS_PER_MINUTE)}:${String(whole % SECONDS_PER_MINUTE).padStart(2, '0')}`;
}

/** Share that is done and time that is left, both estimated: `40 %, about 3:05 left`. */
export function progressText({ expected, part, spentSeconds }: Advance): string {
  const left = Math.max(0, (expected[part] ?? 0) - spentSeconds) + sum(expected.slice(part + 1));
  const all = sum(expected);
  const share = all === 0 ? 1 : 1 - left / all;
  return `${Math.floor(share * 100)} %, about ${clockTime(left)} left`;
}
