import { models as modelTexts } from '#texts/models';
import { priceLists as texts } from '#texts/price-lists';
import { useRoute } from '../../../api/use-route';
import { Card } from '../../../components/card';
import { EmptyState } from '../../../components/empty-state';
import { TextLink } from '../../../components/link';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { Status } from '../../../components/status';
import { gatewayNow } from '../../../format/gateway-time';
import { utcDay } from '../../../format/instant';
import { perMillion, priceText } from '../../../format/price';
import { WholeModelLabel } from '../../models/model-label';
import { type EntryState, entryStates, type PriceEntry, type PriceList } from './entry-states';
import classes from './price-lists.module.css';

const HEIGHT = 240;
const TONES: Readonly<Record<EntryState, 'good' | 'neutral' | 'warning'>> = { past: 'neutral', 'in-force': 'good', 'to-come': 'warning' };

type OwnRates = PriceEntry['models'][number];

/** Rates per million model tokens. */
function Rates({ rates: { model, ...rates }, usd }: { readonly rates: OwnRates; readonly usd: string }) {
  return (
    <li className={classes['model']}>
      <span><WholeModelLabel id={model} /></span>
      <dl className={classes['rates']}>
        {Object.entries(rates).map(([name, rate]) => <div key={name} className={classes['rate']}><dt>{modelTexts.classes[name as keyof typeof rates]}</dt><dd className="num">{priceText(perMillion(rate, usd))}</dd></div>)}
      </dl>
    </li>
  );
}

function Entry({ entry: { from, factor, models }, state, usd }: { readonly entry: PriceEntry; readonly state: EntryState; readonly usd: string }) {
  return (
    <li className={classes['entry']}>
      <div className={classes['head']}>
        <Status value={state} tone={TONES[state]} />
        <strong>{from === null ? texts.fromStart : texts.from(utcDay(from))}</strong>
        <span className="muted">{texts.factor(factor)}</span>
      </div>
      {models.length > 0 && <ul className={classes['models']} aria-label={texts.ownRates}>{models.map((rates) => <Rates key={rates.model} rates={rates} usd={usd} />)}</ul>}
    </li>
  );
}

/** Future entries first. */
function Entries({ list: { name, entries }, usd }: { readonly list: PriceList; readonly usd: string }) {
  const states = entryStates(entries, gatewayNow());
  return (
    <ul className={classes['entries']} aria-label={texts.entriesOf(name)}>
      {entries.map((entry, place) => <Entry key={entry.from ?? ''} entry={entry} state={states[place] ?? 'to-come'} usd={usd} />).toReversed()}
    </ul>
  );
}

/** The catalogue's price lists, each with its past, present and future prices. */
export function PriceListsPage() {
  const lists = useRoute('listPriceLists', {});
  const account = useRoute('account', {});
  return (
    <Page title={texts.title} help={texts.help}>
      <p className="in-text"><TextLink to="/models">{texts.toStandard}</TextLink></p>
      <Part query={lists} height={HEIGHT}>
        {({ data }) => (data.length === 0
          ? <EmptyState title={texts.none} help={texts.noneHelp} />
          : <div className={classes['lists']}>{data.map((list) => <Card key={list.id} title={list.name} aside={<span className="mono muted">{list.id}</span>}><Part query={account} height={HEIGHT}>{({ balance }) => <Entries list={list} usd={balance.usd_per_service_token} />}</Part></Card>)}</div>)}
      </Part>
    </Page>
  );
}
