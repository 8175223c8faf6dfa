/** Content of posts as it comes out of the ordinary, for specs to vary. */
import type { Happening, PostContent } from '../../domain/content/post.ts';
import { at } from '../bookings/bookingFixtures.ts';

export const RU = { title: 'Ночное катание', summary: 'По пятницам', body: 'Склон «Юг» открыт до полуночи.' };
export const EN = { title: 'Night skiing', summary: 'On Fridays', body: 'The south slope is open until midnight.' };

export const postContent: PostContent = {
  texts: { ru: RU, en: EN },
  images: [],
  link: null,
  promoCode: null,
  happening: null,
  publishAt: at(0),
  expiresAt: at(60),
};

export const happening: Happening = {
  place: 'Южный склон',
  location: { latitude: 43.68, longitude: 40.2 },
  startsAt: at(600),
  endsAt: at(720),
  timezone: 'Europe/Moscow',
};
