import { exactAmount } from '../../format/amount';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/charts';

export const charts: Translated<typeof english.charts> = {
  asTable: 'Als Tabelle anzeigen',
  asChart: 'Als Diagramm anzeigen',
  other: (series) => `Andere (${series})`,
  unnamed: 'Ohne Namen',
  total: 'Summe',
  day: 'Tag (UTC)',
  nothing: (period) => `${period}: nichts ausgegeben.`,
  sentence: (period, total, largest) => `${period}: insgesamt ${exactAmount(total)} Service-Tokens, am meisten für ${largest.label} mit ${exactAmount(largest.total)}.`,
  loading: 'Das Diagramm wird geladen.',
  failed: 'Das Diagramm konnte nicht geladen werden. Seine Zahlen stehen in der Tabelle.',
  used: (used, limit) => `${used} von ${limit}`,
  reached: 'Limit erreicht',
};
