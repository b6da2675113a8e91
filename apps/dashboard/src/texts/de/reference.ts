import type { Translated } from '../../locale/translated';
import type * as english from '../en/reference';

export const reference: Translated<typeof english.reference> = {
  title: 'API-Referenz',
  surfaces: { v1: 'Für API-Schlüssel', admin: 'Für Maschinen' },
  surface: 'Teil der API',
  contents: 'Inhalt',
  document: 'OpenAPI-Dokument',
  loading: 'Die Beschreibung wird geladen',
  failed: 'Die Beschreibung konnte nicht geladen werden.',
  retry: 'Erneut versuchen',
  parameters: 'Parameter',
  body: 'Anfragekörper',
  replies: 'Antworten',
  shapes: 'Formen',
  required: 'erforderlich',
  stream: 'Daten eines Ereignisses',
  more: 'Felder anzeigen',
  link: (title) => `Link zu ${title}`,
  untagged: 'Routen',
  any: 'beliebiger Wert',
  or: ' oder ',
  listOf: (type) => `Liste von ${type}`,
  example: 'Beispiel',
};
