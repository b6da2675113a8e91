import { Autocomplete, type AutocompleteProps, type ComboboxParsedItem } from '@mantine/core';
import { money } from '#texts/operator-accounts';
import { usage } from '#texts/usage';
import type { Reply } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Amount } from '../../../../components/amount';
import { Instant } from '../../../../components/instant';
import { shortId } from '../../../../format/id';
import { useModelNames } from '../../../models/model-names';
import { EndingBadge, isFailure } from '../../../usage/ending';
import classes from './dialogs.module.css';

type Listed = Reply<'listAllUsage'>['data'][number];

/** The value is an id, as typed. */
interface RequestInputProps extends Omit<AutocompleteProps, 'label' | 'data' | 'filter' | 'renderOption'> {
  readonly accountId: string;
}

const LATEST = 50;
/** Filter that leaves out requests without a charge. */
const MIN_CHARGE = '0.000001';

/** The last charged requests of the account, failed ones first. */
function useChargedRequests(accountId: string): readonly Listed[] {
  const { data } = useRoute('listAllUsage', { query: { account: accountId, min_charge: MIN_CHARGE, limit: LATEST } });
  const requests = data?.data ?? [];
  return [...requests.filter(({ end_reason: reason }) => isFailure(reason)), ...requests.filter(({ end_reason: reason }) => !isFailure(reason))];
}

/** Offers charged requests, found by id, model and ending; takes any other id too. */
export function RequestInput({ accountId, ...field }: RequestInputProps) {
  const requests = useChargedRequests(accountId);
  const modelName = useModelNames();
  const byId = new Map(requests.map((request) => [request.request_id, request]));
  const nameOf = ({ model, requested_model: requested }: Listed) => modelName(model ?? requested);
  const isFound = (option: ComboboxParsedItem, search: string): boolean => {
    const request = 'value' in option ? byId.get(option.value) : undefined;
    // Once a request is chosen, the list would cover the next field.
    if (request === undefined || request.request_id === search) return false;
    return `${request.request_id} ${nameOf(request)} ${usage.endings[request.end_reason]}`.toLowerCase().includes(search.toLowerCase());
  };
  return (
    <Autocomplete
      label={money.request} description={money.requestHelp} placeholder={money.requestPlaceholder} classNames={{ input: 'mono', options: classes['requests'] ?? '' }} autoComplete="off" spellCheck={false} clearable
      clearButtonProps={{ 'aria-label': money.requestClear }} withScrollArea={false} data={[...byId.keys()]} filter={({ options, search }) => options.filter((option) => isFound(option, search.trim()))}
      renderOption={({ option: { value } }) => {
        const request = byId.get(value);
        return request !== undefined && <RequestOption request={request} model={nameOf(request)} />;
      }}
      {...field}
    />
  );
}

function RequestOption({ request: { request_id: id, ended_at: ended, end_reason: reason, svc_tokens_debited: charge, svc_cost_usd: usd }, model }: { readonly request: Listed; readonly model: string }) {
  return (
    <span className={classes['request']}>
      <span><strong>{model}</strong><Amount value={charge} usd={usd} full /></span>
      <span><span><Instant at={ended} /> <span className="mono muted" title={id}>{shortId(id)}</span></span><EndingBadge reason={reason} /></span>
    </span>
  );
}
