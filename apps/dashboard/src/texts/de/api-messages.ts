import type { Translated } from '../../locale/translated';
import type * as english from '../en/api-messages';

export const apiMessages: Translated<typeof english.apiMessages> = {
  unreachable: 'Das Gateway ist nicht erreichbar.',
  answered: (status) => `Das Gateway hat mit ${status} geantwortet.`,
  byCode: {
    internal_error: 'Im Gateway ist ein Fehler aufgetreten.',
    service_unavailable: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich erneut.',
    server_busy: 'Der Dienst ist gerade ausgelastet. Versuchen Sie es gleich erneut.',
    provider_unavailable: 'Das Modell ist gerade nicht verfügbar.',
    not_found: 'Das wurde nicht gefunden.',
    not_signed_in: 'Sie sind nicht angemeldet.',
    sign_in_failed: 'Die Anmeldung ist fehlgeschlagen. Prüfen Sie Ihre Angaben.',
    second_factor_required: 'Ein zweiter Faktor ist erforderlich.',
    consent_required: 'Zuerst ist Ihre Zustimmung erforderlich.',
    fresh_proof_required: 'Bestätigen Sie zuerst Ihre Identität.',
    wrong_origin: 'Diese Anfrage kam von einer anderen Website.',
    sign_up_closed: 'Die Registrierung ist geschlossen.',
    insecure_address: 'Unter dieser Adresse können Sie sich nicht anmelden, weil sie nicht verschlüsselt ist.',
    token_invalid: 'Dieser Link ist ungültig, abgelaufen oder schon verwendet.',
    too_many_attempts: 'Zu viele Versuche.',
    key_creations_exceeded: 'Es wurden zu viele Schlüssel in kurzer Zeit erstellt.',
    email_not_verified: 'Die E-Mail-Adresse ist noch nicht bestätigt.',
    account_inactive: 'Das Konto ist nicht aktiv.',
    account_blocked: 'Das Konto ist gesperrt.',
    ip_blocked: 'Ihr Netz ist gesperrt.',
    payload_too_large: 'Das ist zu groß.',
  },
};
