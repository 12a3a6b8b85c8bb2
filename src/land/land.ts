// The land room: stores what the gateway returns as received, and knows what is still missing. seals.ts proves pages.

export { landAnswer } from './answers.ts';
export { hasKey, landDelivery } from './authorizations.ts';
export { landReading } from './balances.ts';
export { importOfficial, newestFile, ratesText, readOfficial } from './official.ts';
export { landWalk } from './pages.ts';
export { landPeople } from './people.ts';
export {
  isProvedBefore,
  landedAbove,
  landedBelow,
  landedSoFar,
  notFinal,
  readAgainFrom,
  storedPlace,
  windowsToWalk,
} from './plan.ts';
export { bookedCurrencies, landChart, landRates, movedCurrencies, wantedTimes } from './rates.ts';
