import type { Reply, RequestBody } from '../../api/call';
import { amountFault } from '../../components/amount-fault';
import { typedAmount } from '../../format/amount';

type Saved = Reply<'notifications'>;

export type MailKind = keyof Saved['mails'];

/** As typed; an empty field sets no threshold. */
export interface NotificationFields {
  readonly mails: Saved['mails'];
  readonly thresholds: string[];
}

/** Maximum number of thresholds that the gateway accepts. */
const THRESHOLDS = 3;

export function notificationFields({ mails, alert_thresholds: chosen }: Pick<Saved, 'mails' | 'alert_thresholds'>): NotificationFields {
  return { mails, thresholds: Array.from({ length: THRESHOLDS }, (_, index) => chosen?.[index] ?? '') };
}

function isTyped(text: string): boolean {
  return text.trim() !== '';
}

/** Faults by field path of the form. */
export function notificationFaults({ thresholds }: NotificationFields): Readonly<Record<string, string>> {
  return Object.fromEntries(thresholds.flatMap((text, index) => {
    const fault = isTyped(text) ? amountFault(text) : null;
    return fault === null ? [] : [[`thresholds.${index}`, fault] as const];
  }));
}

/** Without a threshold, the body selects the operator's thresholds. */
export function bodyOf({ mails, thresholds }: NotificationFields): RequestBody<'changeNotifications'> {
  const amounts = thresholds.filter(isTyped).map((text) => typedAmount(text) ?? text);
  return { mails, alert_thresholds: amounts.length === 0 ? null : amounts };
}
