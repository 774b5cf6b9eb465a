import { events } from './suites/events.js';

describe('events', () => events());
