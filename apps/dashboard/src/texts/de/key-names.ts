import type { Translated } from '../../locale/translated';
import type * as english from '../en/key-names';

export const playgroundKey: Translated<typeof english.playgroundKey> = {
  name: 'Playground',
  facts: 'Über diesen Schlüssel',
  help: 'Anfragen des Playgrounds werden unter diesem Schlüssel abgerechnet. Er hat kein Geheimnis, sodass kein Programm ihn verwenden kann, und kein eigenes Limit: Es gelten Guthaben und Limits des Kontos.',
  id: 'ID',
  requests: 'Anfragen zeigen',
  open: 'Playground öffnen',
  back: 'Alle Schlüssel',
};
