"""Names of environments as packages register them, separated by spaces."""

ATARI_57 = """
Alien Amidar Assault Asterix Asteroids Atlantis BankHeist BattleZone BeamRider Berzerk Bowling Boxing Breakout
Centipede ChopperCommand CrazyClimber Defender DemonAttack DoubleDunk Enduro FishingDerby Freeway Frostbite
Gopher Gravitar Hero IceHockey Jamesbond Kangaroo Krull KungFuMaster MontezumaRevenge MsPacman NameThisGame
Phoenix Pitfall Pong PrivateEye Qbert Riverraid RoadRunner Robotank Seaquest Skiing Solaris SpaceInvaders
StarGunner Surround Tennis TimePilot Tutankham UpNDown Venture VideoPinball WizardOfWor YarsRevenge Zaxxon
"""
"""Of ale-py 0.12.1, as ALE/<name>-v5: those that have scores of human players."""
ATARI_OTHERS = """
Adventure AirRaid Atlantis2 Backgammon BasicMath Blackjack Carnival Casino Crossbow Darkchambers DonkeyKong
Earthworld ElevatorAction Entombed Et FlagCapture Frogger Galaxian Hangman HauntedHouse HumanCannonball
JourneyEscape Kaboom KeystoneKapers KingKong Klax Koolaid LaserGates LostLuggage MarioBros MiniatureGolf MrDo
Othello Pacman Pitfall2 Pooyan SirLancelot SpaceWar Superman Tetris TicTacToe3D Trondead Turmoil VideoCheckers
VideoChess VideoCube WordZapper
"""
"""The others."""
DM_CONTROL = """
acrobot/swingup acrobot/swingup_sparse ball_in_cup/catch cartpole/balance cartpole/balance_sparse
cartpole/swingup cartpole/swingup_sparse cartpole/two_poles cartpole/three_poles cheetah/run dog/stand
dog/walk dog/trot dog/run dog/fetch finger/spin finger/turn_easy finger/turn_hard fish/upright fish/swim
hopper/stand hopper/hop humanoid/stand humanoid/walk humanoid/run humanoid/run_pure_state humanoid_CMU/stand
humanoid_CMU/walk humanoid_CMU/run lqr/lqr_2_1 lqr/lqr_6_2 manipulator/bring_ball manipulator/bring_peg
manipulator/insert_ball manipulator/insert_peg pendulum/swingup point_mass/easy point_mass/hard quadruped/walk
quadruped/run quadruped/escape quadruped/fetch reacher/easy reacher/hard stacker/stack_2 stacker/stack_4
swimmer/swimmer6 swimmer/swimmer15 walker/stand walker/walk walker/run
"""
"""Domain and task of all of suite.ALL_TASKS of dm_control 1.0.50."""
PROCGEN = """
bigfish bossfight caveflyer chaser climber coinrun dodgeball fruitbot heist jumper leaper maze miner ninja
plunder starpilot
"""
"""Of procgen, as procgen:procgen-<name>-v0."""
METAWORLD = """
assembly-v3 basketball-v3 bin-picking-v3 box-close-v3 button-press-v3 button-press-topdown-v3
button-press-topdown-wall-v3 button-press-wall-v3 coffee-button-v3 coffee-pull-v3 coffee-push-v3 dial-turn-v3
disassemble-v3 door-close-v3 door-lock-v3 door-open-v3 door-unlock-v3 drawer-close-v3 drawer-open-v3
faucet-close-v3 faucet-open-v3 hammer-v3 hand-insert-v3 handle-press-v3 handle-press-side-v3 handle-pull-v3
handle-pull-side-v3 lever-pull-v3 peg-insert-side-v3 peg-unplug-side-v3 pick-out-of-hole-v3 pick-place-v3
pick-place-wall-v3 plate-slide-v3 plate-slide-back-v3 plate-slide-back-side-v3 plate-slide-side-v3 push-v3
push-back-v3 push-wall-v3 reach-v3 reach-wall-v3 shelf-place-v3 soccer-v3 stick-pull-v3 stick-push-v3 sweep-v3
sweep-into-v3 window-close-v3 window-open-v3
"""
"""Of metaworld 3.1.1."""
