import type { MailName } from './mail-names.js';
import type { MailTemplate } from './mail-templates.js';

interface GermanMail extends MailTemplate {
  /** Label of the link's button; `null` without a link. */
  readonly label: string | null;
}

const LINK_TERMS = 'Der Link gilt einmal und läuft in {{lifetime}} ab.';
const TURN_OFF = 'Auf der Seite „Einstellungen“ können Sie unter „Benachrichtigungen“ ändern, wann Sie diese Nachricht bekommen, oder sie abschalten.';

/** The texts of all messages in German, in the form of the operator's own texts. */
export const GERMAN_MAILS: Readonly<Record<MailName, GermanMail>> = {
  'verify-address': {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse', label: 'Adresse bestätigen',
    paragraphs: [
      'Mit dieser Adresse hat sich jemand bei {{product}} unter {{site}} registriert.',
      'Um zu bestätigen, dass sie Ihnen gehört, öffnen Sie diesen Link und geben Sie das gewählte Passwort ein:', '{{link}}', LINK_TERMS,
      'Wenn Sie sich nicht registriert haben, beachten Sie diese Nachricht nicht, oder öffnen Sie den Link und wählen Sie „Das war ich nicht“. Ohne Bestätigung kann das Konto nicht benutzt werden.',
    ],
  },
  'existing-account': {
    subject: 'Sie haben schon ein Konto', label: 'Anmelden',
    paragraphs: [
      'Mit dieser Adresse hat sich jemand bei {{product}} unter {{site}} registriert. Sie hat dort schon ein Konto, deshalb wurde nichts geändert.', 'Hier können Sie sich anmelden:', '{{link}}',
      'Wenn Sie Ihr Passwort vergessen haben, können Sie auf dieser Seite ein neues anfordern.', 'Wenn Sie sich nicht registrieren wollten, müssen Sie nichts tun.',
    ],
  },
  'sign-in-link': {
    subject: 'Ihr Anmeldelink', label: 'Anmelden',
    paragraphs: [
      'Öffnen Sie diesen Link, um sich bei {{product}} unter {{site}} anzumelden:', '{{link}}',
      `${LINK_TERMS} Leiten Sie ihn nicht weiter: Wer ihn öffnet, ist als Sie angemeldet.`, 'Wenn Sie ihn nicht angefordert haben, beachten Sie diese Nachricht nicht.',
    ],
  },
  'confirm-sign-in': {
    subject: 'Bestätigen Sie Ihre Anmeldung', label: 'Anmeldung bestätigen',
    paragraphs: [
      'Ein neuer Browser versucht, sich bei Ihrem Konto von {{product}} unter {{site}} anzumelden. Die Anmeldung muss bestätigt werden, weil es viele Fehlversuche gab.',
      'Wenn Sie das sind, öffnen Sie diesen Link in jenem Browser:', '{{link}}', `${LINK_TERMS} Leiten Sie ihn nicht weiter: Wer ihn öffnet, ist als Sie angemeldet.`,
      'Wenn Sie sich nicht anmelden wollten, öffnen Sie den Link nicht, und ändern Sie Ihr Passwort: Jemand anderes kennt es.',
    ],
  },
  invitation: {
    subject: 'Sie sind zu {{product}} eingeladen', label: 'Einladung annehmen',
    paragraphs: [
      'Die Betreiber von {{site}} laden Sie ein, ein Konto bei {{product}} zu eröffnen.', 'Um anzunehmen und ein Passwort zu wählen, öffnen Sie diesen Link:', '{{link}}', LINK_TERMS,
      'Wenn Sie diese Einladung nicht erwartet haben, beachten Sie diese Nachricht nicht.',
    ],
  },
  'reset-password': {
    subject: 'Setzen Sie Ihr Passwort zurück', label: 'Neues Passwort wählen',
    paragraphs: [
      'Für Ihr Konto von {{product}} unter {{site}} wurde ein neues Passwort angefordert.', 'Um es zu wählen, öffnen Sie diesen Link:', '{{link}}', LINK_TERMS,
      'Mit dem neuen Passwort werden Sie überall abgemeldet, und Ihre Passkeys und zweiten Faktoren werden entfernt, wenn Sie kein Betreiber sind. Danach können Sie sie wieder einrichten.',
      'Wenn Sie das nicht angefordert haben, beachten Sie diese Nachricht nicht. Ihr Passwort bleibt, wie es ist.',
    ],
  },
  'password-changed': {
    subject: 'Ihr Passwort wurde geändert', label: '{{product}} öffnen',
    paragraphs: [
      'Das Passwort Ihres Kontos von {{product}} unter {{site}} wurde am {{time}} geändert. Alle anderen Sitzungen wurden beendet.',
      'Wenn Sie es geändert haben, müssen Sie nichts tun. Wenn nicht, fordern Sie auf dieser Seite sofort ein neues Passwort an, und sagen Sie es den Betreibern:', '{{link}}',
    ],
  },
  'confirm-change': {
    subject: 'Bestätigen Sie die Änderung Ihrer E-Mail-Adresse', label: 'Änderung bestätigen',
    paragraphs: [
      'Die E-Mail-Adresse Ihres Kontos von {{product}} unter {{site}} soll in {{new_address}} geändert werden.',
      'Wenn Sie diese Änderung wollen, öffnen Sie diesen Link. Eine zweite Nachricht geht dann an die neue Adresse:', '{{link}}', LINK_TERMS,
      'Wenn Sie das nicht angefordert haben, öffnen Sie den Link nicht, und ändern Sie Ihr Passwort: Wer es angefordert hat, kennt Ihr Passwort.',
    ],
  },
  'confirm-requested-change': {
    subject: 'Bestätigen Sie die für Sie beantragte E-Mail-Adresse', label: 'Änderung bestätigen',
    paragraphs: [
      'Die Betreiber von {{site}} wollen die E-Mail-Adresse Ihres Kontos von {{product}} in {{new_address}} ändern.',
      'Wenn Sie diese Änderung wollen, öffnen Sie diesen Link. Eine zweite Nachricht geht dann an die neue Adresse:', '{{link}}', LINK_TERMS,
      'Wenn Sie die Betreiber nicht darum gebeten haben, öffnen Sie den Link nicht, und sagen Sie es ihnen. Das Konto behält seine jetzige Adresse.',
    ],
  },
  'change-address': {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse', label: 'Neue Adresse bestätigen',
    paragraphs: [
      'Diese Adresse wurde als neue Adresse eines Kontos von {{product}} unter {{site}} eingegeben.', 'Um sie ab jetzt für dieses Konto zu verwenden, öffnen Sie diesen Link:', '{{link}}', LINK_TERMS,
      'Wenn Sie das nicht angefordert haben, beachten Sie diese Nachricht nicht. Das Konto behält seine jetzige Adresse.',
    ],
  },
  'address-changed': {
    subject: '{{event}}', label: '{{product}} öffnen',
    paragraphs: [
      '{{event}}, am {{time}}, bei {{product}} ({{site}}).',
      'Alle Ihre Sitzungen wurden beendet; Ihr Passwort und Ihre zweiten Faktoren bleiben, wie sie sind. Wenn Sie das nicht gewünscht haben oder dieses Konto nicht kennen, sagen Sie es den Betreibern sofort:', '{{link}}',
    ],
  },
  'factor-changed': {
    subject: '{{event}}', label: '{{product}} öffnen',
    paragraphs: [
      '{{event}}, am {{time}}, bei {{product}} ({{site}}).',
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie auf dieser Seite sofort Ihr Passwort zurück, und sagen Sie es den Betreibern. Dabei werden auch Ihre zweiten Faktoren entfernt, wenn Sie kein Betreiber sind:', '{{link}}',
    ],
  },
  'failed-sign-ins': {
    subject: 'Fehlversuche bei der Anmeldung', label: '{{product}} öffnen',
    paragraphs: [
      '{{event}} (Konto von {{product}} unter {{site}}, zuletzt am {{time}}).',
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, prüfen Sie Ihr Konto auf Änderungen, und wählen Sie ein Passwort, das Sie nirgends sonst verwenden:', '{{link}}',
    ],
  },
  'deletion-scheduled': {
    subject: 'Ihr Konto wird gelöscht', label: '{{product}} öffnen',
    paragraphs: [
      'Ihr Konto von {{product}} unter {{site}} wird am {{due}} gelöscht. Seine Schlüssel werden ab jetzt abgelehnt. Der Rest seines Guthabens verfällt mit ihm, und eine Zahlung, die später eingeht, wird erstattet.',
      'Ihr Name, Ihre Adresse und Ihr Passwort werden dann gelöscht. Einträge über Anfragen und Buchungen bleiben ohne Ihren Namen erhalten, aber mit den Nutzerangaben, die Ihre Anfragen gesendet haben.',
      'Bis dahin können Sie die Löschung absagen. Wenn Sie sie nicht gewünscht haben, sagen Sie sie ab, ändern Sie Ihr Passwort, und sagen Sie es den Betreibern:', '{{link}}',
    ],
  },
  'balance-low': {
    subject: 'Ihr Guthaben liegt unter {{threshold}} {{tokens}}', label: 'Übersicht öffnen',
    paragraphs: [
      'Das Guthaben Ihres Kontos von {{product}} unter {{site}} fiel am {{time}} unter {{threshold}} {{tokens}}. Es betrug da {{balance}} {{tokens}}.',
      'Anfragen werden abgelehnt, sobald das Guthaben aufgebraucht ist. {{credit}}', 'Ihr Guthaben und Ihre Ausgaben stehen auf dieser Seite:', '{{link}}', TURN_OFF,
    ],
  },
  'balance-exhausted': {
    subject: 'Ihr Guthaben ist aufgebraucht', label: 'Übersicht öffnen',
    paragraphs: [
      'Das Guthaben Ihres Kontos von {{product}} unter {{site}} fiel am {{time}} auf {{balance}} {{tokens}}. Eine Anfrage braucht mindestens {{threshold}}; Anfragen werden abgelehnt, bis wieder Guthaben da ist.',
      '{{credit}}', 'Ihr Guthaben und Ihre Ausgaben stehen auf dieser Seite:', '{{link}}', TURN_OFF,
    ],
  },
  'key-limit-reached': {
    subject: 'Ausgabenlimit eines API-Schlüssels erreicht', label: 'Schlüssel öffnen',
    paragraphs: [
      'Es geht um Ihr Konto von {{product}} unter {{site}}, Stand {{time}}.', '{{keys}}',
      'Was übrig ist, reicht für keine Anfrage; Anfragen mit diesem Schlüssel werden abgelehnt, bis der nächste Zeitraum beginnt. Andere Schlüssel sind nicht betroffen. Um ihn früher zu benutzen, erhöhen Sie sein Limit:', '{{link}}', TURN_OFF,
    ],
  },
  'cap-reached': {
    subject: 'Die Token-Obergrenze Ihres Tarifs ist erreicht', label: 'Limits öffnen',
    paragraphs: [
      'Es geht um Ihr Konto von {{product}} unter {{site}}.', '{{caps}}',
      'Anfragen, die mehr Tokens brauchen, als übrig sind, werden abgelehnt, bis der nächste Zeitraum beginnt (UTC). Für eine höhere Obergrenze fragen Sie die Betreiber von {{site}}.',
      'Die Limits Ihres Tarifs und ihre Nutzung stehen auf dieser Seite:', '{{link}}', TURN_OFF,
    ],
  },
  'credit-expiring': {
    subject: 'Guthaben verfällt bald', label: 'Abrechnung öffnen',
    paragraphs: [
      'Es geht um Ihr Konto von {{product}} unter {{site}}.', '{{credits}}',
      'Anfragen verbrauchen zuerst das Guthaben, das zuerst verfällt. Was dann davon übrig ist, wird von Ihrem Guthaben abgezogen.', 'Was von jeder Gutschrift übrig ist, steht auf dieser Seite:', '{{link}}', TURN_OFF,
    ],
  },
  'webhook-disabled': {
    subject: 'Ein Webhook wurde abgeschaltet', label: 'Webhook öffnen',
    paragraphs: [
      'Es geht um {{product}} unter {{site}}.', '{{webhooks}}',
      'Ein abgeschalteter Webhook empfängt nichts. Wenn sein Programm wieder arbeitet, holen Sie in der Konsole nach: Das schaltet ihn ein und sendet, was er verpasst hat:', '{{link}}', TURN_OFF,
    ],
  },
  'refund-failed': {
    subject: 'Eine Erstattung konnte nicht ausgezahlt werden', label: 'Abrechnung öffnen',
    paragraphs: ['Es geht um Ihr Konto von {{product}} unter {{site}}.', '{{refunds}}', 'Um das Geld auf anderem Weg zu bekommen, fragen Sie die Betreiber von {{site}}. Was bezahlt und erstattet wurde, steht auf dieser Seite:', '{{link}}'],
  },
  'top-up-declined': {
    subject: 'Eine Belastung Ihres Zahlungsmittels wurde abgelehnt', label: 'Abrechnung öffnen',
    paragraphs: [
      'Es geht um das automatische Aufladen Ihres Kontos von {{product}} unter {{site}}, Stand {{time}}.',
      'Ihr Guthaben liegt unter Ihrer Schwelle, und die Belastung Ihres gespeicherten Zahlungsmittels wurde abgelehnt. Sie wird später erneut versucht; nach dem dritten Mal wird das automatische Aufladen ausgeschaltet.',
      'Um jetzt Guthaben aufzuladen oder ein anderes Zahlungsmittel zu speichern, öffnen Sie diese Seite:', '{{link}}',
    ],
  },
  'top-up-authentication': {
    subject: 'Bestätigen Sie die Belastung für Ihr Guthaben', label: 'Belastung bestätigen',
    paragraphs: [
      'Es geht um das automatische Aufladen Ihres Kontos von {{product}} unter {{site}}, Stand {{time}}.',
      'Ihre Bank verlangt, dass Sie die Belastung bestätigen. Bis dahin wird kein Guthaben gutgeschrieben und nichts weiter belastet. Die Seite des Zahlungsanbieters fragt Sie danach:', '{{link}}',
    ],
  },
  'top-up-stopped': {
    subject: 'Automatisches Aufladen wurde ausgeschaltet', label: 'Abrechnung öffnen',
    paragraphs: [
      'Es geht um das automatische Aufladen Ihres Kontos von {{product}} unter {{site}}, Stand {{time}}.',
      'Es wurde ausgeschaltet: {{reason}}. Es wird nichts weiter belastet. Auf dieser Seite können Sie Guthaben aufladen oder es wieder einschalten:', '{{link}}',
    ],
  },
  'price-change': {
    subject: 'Preise ändern sich am {{day}}', label: 'Modelle öffnen',
    paragraphs: [
      'Ab {{day}} (UTC) haben Modelle, die Ihr Konto von {{product}} unter {{site}} zuletzt benutzt hat, neue Preise. Eine Million Tokens kostet, in {{tokens}}:', '{{prices}}',
      'Anfragen, die vorher beginnen, werden zu den jetzigen Preisen berechnet. Alle Preise stehen auf dieser Seite:', '{{link}}',
    ],
  },
  'model-shutdown': {
    subject: 'Das Modell {{model}} wird am {{day}} abgeschaltet', label: 'Modelle öffnen',
    paragraphs: [
      'Ihr Konto von {{product}} unter {{site}} hat das Modell {{model}} zuletzt benutzt. Es antwortet, bis der {{day}} beginnt (UTC).', '{{successor}}', 'Alle Modelle stehen auf dieser Seite:', '{{link}}',
    ],
  },
  test: {
    subject: 'Testnachricht von {{product}}', label: null,
    paragraphs: ['Diese Nachricht zeigt, dass Ihr Gateway Mail senden kann.', 'Sie wurde mit dem Befehl `tollgate mail test` gesendet. Sie müssen nichts tun.'],
  },
};
