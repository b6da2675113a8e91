import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications as toasts } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { automaticTopUp as texts } from '#texts/automatic-top-up';
import { addCredit } from '#texts/payments';
import { call, type Reply } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { AmountInput } from '../../components/amount-input';
import { Card } from '../../components/card';
import { Form } from '../../components/form';
import { FormProblem } from '../../components/form-problem';
import { useFreshCall } from '../../components/fresh-proof';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Part } from '../../components/part';
import { TopUpFacts } from '../../components/top-up-facts';
import { exactAmount } from '../../format/amount';
import { priceOf } from '../../format/price-of';
import { CUSTOM } from './payment-choice';
import { currencyOf, settingsOf, thresholdFault, type TopUpFields, topUpFields } from './top-up-form';
import classes from './billing.module.css';

type Offer = Reply<'readCreditOffer'>;
type TopUp = Reply<'readAutomaticTopUp'>;

const FIELDS = { threshold: 'threshold', package: 'choice', amount: 'amount', max_per_day: 'maxPerDay', monthly_amount: 'monthly' } as const;
const HEIGHT = 240;
/** Polling interval in milliseconds while a charge is in progress or about to begin. */
const EVERY = 5_000;

/** Also states what a charge buys, because the owner agrees to it. */
function packageLabel({ name, price, currency, svc_tokens: tokens, credit_expires_after_days: days }: Offer['packages'][number]): string {
  return [name, priceOf({ amount: price, currency }), addCredit.gives(exactAmount(tokens)), ...(days === null ? [] : [addCredit.expires(days)])].join(' · ');
}

interface OfTopUp {
  readonly topUp: TopUp;
  readonly offer: Offer;
}

function Settings({ topUp, offer: { packages, custom } }: OfTopUp) {
  const client = useQueryClient();
  const fresh = useFreshCall();
  const form = useForm<TopUpFields>({ initialValues: topUpFields(topUp.settings, { packages }), validate: { threshold: (_threshold, values) => thresholdFault(values) } });
  const save = useMutation({
    mutationFn: () => fresh(() => call('enableAutomaticTopUp', { body: settingsOf(form.values) })),
    onSuccess: (changed) => {
      client.setQueryData(keyOf('readAutomaticTopUp', {}), changed);
      toasts.show({ message: texts.saved });
    },
  });
  const switchOff = useMutation({
    mutationFn: () => call('disableAutomaticTopUp', {}),
    onSuccess: (changed) => {
      client.setQueryData(keyOf('readAutomaticTopUp', {}), changed);
      toasts.show({ message: texts.off });
    },
  });
  const currency = currencyOf(form.values, { packages, custom });
  const options = [
    ...packages.map((offered) => ({ value: offered.id, label: packageLabel(offered) })), ...(custom === null ? [] : [{ value: CUSTOM, label: texts.custom }]),
  ];
  return (
    <Form form={form} error={save.error ?? switchOff.error} fields={FIELDS} className={classes['form']} onSubmit={() => save.mutate()}>
      <AmountInput label={texts.threshold} className={classes['typed']} {...form.getInputProps('threshold')} value={form.values.threshold} />
      <NativeSelect label={texts.buys} data={options} {...form.getInputProps('choice')} />
      {form.values.choice === CUSTOM && <TextInput label={texts.amount(currency)} inputMode="decimal" autoComplete="off" maxLength={20} className={classes['typed']} {...form.getInputProps('amount')} />}
      <TextInput label={texts.maxPerDay} inputMode="numeric" autoComplete="off" maxLength={2} className={classes['typed']} {...form.getInputProps('maxPerDay')} />
      <TextInput label={texts.monthly(currency)} description={texts.utc} inputMode="decimal" autoComplete="off" maxLength={20} className={classes['typed']} {...form.getInputProps('monthly')} />
      <div className={classes['acts']}>
        <Button type="submit" loading={save.isPending}>{topUp.enabled ? texts.save : texts.switchOn}</Button>
        {topUp.enabled && <Button variant="default" loading={switchOff.isPending} onClick={() => switchOff.mutate()}>{texts.switchOff}</Button>}
      </div>
    </Form>
  );
}

function PortalButton() {
  const fresh = useFreshCall();
  const open = useMutation({ mutationFn: () => fresh(() => call('openPaymentPortal', {})), onSuccess: ({ url }) => window.location.assign(url) });
  return (
    <div>
      <Button variant="default" loading={open.isPending || open.isSuccess} onClick={() => open.mutate()}>{texts.portal}</Button>
      <FormProblem error={open.error} />
    </div>
  );
}

function LastCharge({ payment }: { readonly payment: TopUp['last_charge'] }) {
  return payment === null ? null : <TextLink to="/billing/payments/$id" params={{ id: payment.id }}><Instant at={payment.created_at} /></TextLink>;
}

function Content({ topUp, offer }: OfTopUp) {
  return (
    <div className={classes['form']}>
      <p className={classes['help']}>{texts.lead}</p>
      {!topUp.method_saved && <Note kind="info">{texts.noMethod}</Note>}
      {topUp.settings !== null && <TopUpFacts topUp={topUp} lastCharge={<LastCharge payment={topUp.last_charge} />} />}
      {topUp.method_saved && <Settings topUp={topUp} offer={offer} />}
      {topUp.method_saved && !offer.simulated && <PortalButton />}
    </div>
  );
}

/** Shows and changes when the gateway charges the saved payment method. */
export function AutomaticTopUp({ offer }: { readonly offer: Offer }) {
  const query = useRoute('readAutomaticTopUp', {});
  const isMoving = query.data?.enabled === true && (query.data.waits_for === 'charge' || query.data.waits_for === 'authentication' || (query.data.waits_for === null && query.data.next_try_at !== null));
  useRoute('readAutomaticTopUp', {}, { refetchInterval: isMoving ? EVERY : false });
  return <Card title={texts.title}><Part query={query} height={HEIGHT}>{(topUp) => <Content topUp={topUp} offer={offer} />}</Part></Card>;
}
