import Anthropic from '@anthropic-ai/sdk';
import Anthropic039 from 'anthropic-sdk-0.39';
import Anthropic060 from 'anthropic-sdk-0.60';
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import OpenAI6 from 'openai-6';
import { aiSdkClients } from './ai-sdk-client.js';
import { anthropicClient, type AnthropicConstructor } from './anthropic-client.js';
import type { Client, Delivery } from './client.js';
import { langchainClients } from './langchain-client.js';
import { openaiClient, type OpenaiConstructor } from './openai-client.js';
import { responsesClient } from './responses-client.js';

/** The type of the newest version serves for older ones, since only members that all have are called. */
export const CLIENTS: readonly Client[] = [
  openaiClient('4.104', OpenAI4 as unknown as OpenaiConstructor, 'own'),
  openaiClient('6.49', OpenAI6 as unknown as OpenaiConstructor, 'platform'),
  openaiClient('7.59', OpenAI, 'platform'),
  responsesClient('6.49', OpenAI6 as unknown as OpenaiConstructor),
  responsesClient('7.59', OpenAI),
  anthropicClient('0.39', Anthropic039 as unknown as AnthropicConstructor, 'own'),
  anthropicClient('0.60', Anthropic060 as unknown as AnthropicConstructor, 'platform'),
  anthropicClient('1.14', Anthropic, 'platform'),
  ...aiSdkClients(),
  ...langchainClients(),
];

/** Each client with each of its deliveries, for table titles. */
export const CLIENT_PATHS: readonly { readonly path: string; readonly client: Client; readonly delivery: Delivery }[] = CLIENTS.flatMap(
  (client) => client.deliveries.map((delivery) => ({ path: `${client.name}, ${delivery}`, client, delivery })),
);
