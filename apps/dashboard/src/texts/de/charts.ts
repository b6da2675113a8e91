import type { Translated } from '../../locale/translated';
import type * as english from '../en/charts';

export const charts: Translated<typeof english.charts> = {
  asTable: 'Als Tabelle anzeigen',
  asChart: 'Als Diagramm anzeigen',
  other: (series) => `Andere (${series})`,
  unnamed: 'Ohne Namen',
  total: 'Summe',
  day: 'Tag (UTC)',
  measures: { cost: 'Kosten', requests: 'Anfragen', tokens: 'Tokens' },
  measure: 'Anzeigen',
  counts: { requests: (count) => `${count} Anfragen`, tokens: (count) => `${count} Eingabe- und Ausgabe-Tokens` },
  nothing: { cost: (period) => `${period}: nichts ausgegeben.`, requests: (period) => `${period}: keine Anfragen.`, tokens: (period) => `${period}: keine Tokens.` },
  empty: { cost: 'In diesem Zeitraum wurde nichts ausgegeben.', requests: 'Keine Anfragen in diesem Zeitraum.', tokens: 'Keine Tokens in diesem Zeitraum.' },
  sentence: (period, total, largest) => `${period}: insgesamt ${total}, am meisten ${largest.label} mit ${largest.total}.`,
  trend: {
    more: (share, period) => (share.endsWith('×') ? `${share} so viel wie ${period}` : `${share} mehr als ${period}`),
    less: (share, period) => `${share} weniger als ${period}`,
    same: (period) => `so viel wie ${period}`,
    new: () => 'Im Zeitraum davor nichts',
  },
  openOther: (series) => `Die ${series} anderen anzeigen`,
  otherTitle: (title) => `${title}: andere`,
  more: (series) => `und ${series} weitere`,
  loading: 'Das Diagramm wird geladen.',
  failed: 'Das Diagramm konnte nicht geladen werden. Seine Zahlen stehen in der Tabelle.',
  used: (used, limit) => `${used} von ${limit}`,
  reached: 'Limit erreicht',
};
