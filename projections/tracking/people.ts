/** Under which names people are shown to those who share tracks with them: as their accounts say now. */
import { trackingPurpose } from '../../domain/tracking/index.ts';
import { namesOfAccounts } from '../accounts/shortNames.ts';

export const trackPeople = namesOfAccounts('track_people', trackingPurpose);
