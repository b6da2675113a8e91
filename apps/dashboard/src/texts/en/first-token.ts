import { counted } from '../../format/count';

export const firstToken = {
  choice: 'First token',
  title: 'Time to the first token',
  period: (name: string) => `Time to the first token, ${name}`,
  median: 'Median',
  slow: '95th percentile',
  slowWithin: (time: string) => `median · 95 % within ${time}`,
  measured: 'Requests measured',
  model: 'Model',
  whole: 'Whole period',
  empty: 'No request in this period had output.',
  nothing: (period: string) => `${period}: no request had output.`,
  sentence: (period: string, median: string, slow: string) => `${period}: half of the requests had their first token within ${median}, 19 of 20 within ${slow}.`,
  byModel: (models: number) => `By model (${models})`,
  byModelTitle: 'Time to the first token, by model',
  basis: (requests: number) => `Measured on ${counted(requests, 'request')}.`,
  sample: (requests: number) => `Measured on ${counted(requests, 'request')}: at busy times, on the newest ones only.`,
} as const;
